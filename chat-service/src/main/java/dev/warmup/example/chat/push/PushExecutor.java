package dev.warmup.example.chat.push;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.warmup.example.chat.message.Message;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitResult;

import org.springframework.context.SmartLifecycle;

/**
 * Works through notifications beside the requests: so many under way at once, so many
 * waiting, and those beyond dropped, for a late push is worth less than a chat that
 * answers. Holds no thread. Safe for concurrent use.
 */
final class PushExecutor implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(PushExecutor.class);

	private final Function<Message, Mono<Void>> sender;

	private final PushProperties properties;

	private final PushMeters meters;

	private final Sinks.Many<Message> waiting;

	private final Sinks.Empty<Void> drained = Sinks.empty();

	private final AtomicBoolean failing = new AtomicBoolean();

	private volatile Disposable work = Disposables.disposed();

	PushExecutor(Function<Message, Mono<Void>> sender, PushProperties properties, PushMeters meters) {
		this.sender = sender;
		this.properties = properties;
		this.meters = meters;
		this.waiting = Sinks.many()
			.unicast()
			.onBackpressureBuffer(new ArrayBlockingQueue<>(properties.queueCapacity()));
	}

	/**
	 * Takes a message to be told of, unless as many wait as may, or this is stopping.
	 * Never waits.
	 * @return whether it was taken
	 */
	boolean execute(Message message) {
		EmitResult result = offer(message);
		if (result.isFailure()) {
			this.meters.dropped();
		}
		return result.isSuccess();
	}

	/** One at a time: the sink refuses what comes while another thread emits. */
	private synchronized EmitResult offer(Message message) {
		return this.waiting.tryEmitNext(message);
	}

	@Override
	public void start() {
		this.work = this.waiting.asFlux()
			.flatMap(this::run, this.properties.concurrency())
			.doFinally((signal) -> this.drained.tryEmitEmpty())
			.subscribe();
	}

	private Mono<Void> run(Message message) {
		return Mono.defer(() -> this.sender.apply(message))
			.doOnSuccess((done) -> succeeded())
			.doOnError(this::failed)
			.onErrorComplete();
	}

	private void succeeded() {
		this.meters.sent();
		if (this.failing.compareAndSet(true, false)) {
			logger.info("Push notifications arrive again at " + this.properties.url() + ".");
		}
	}

	private void failed(Throwable error) {
		this.meters.failed();
		if (this.failing.compareAndSet(false, true)) {
			logger.warn("Push notifications do not arrive at " + this.properties.url() + ": " + error.getMessage()
					+ ". Messages are stored all the same; what fails from here on is only counted, in chat.push.");
		}
	}

	@Override
	public void stop(Runnable callback) {
		complete();
		Mono<Void> drop = Mono.fromRunnable(this.work::dispose);
		Mono<Void> end = this.properties.drain().isZero() ? drop
				: this.drained.asMono().timeout(this.properties.drain(), drop);
		end.doFinally((signal) -> callback.run()).subscribe();
	}

	private synchronized void complete() {
		this.waiting.tryEmitComplete();
	}

	@Override
	public void stop() {
		complete();
		this.work.dispose();
	}

	@Override
	public boolean isRunning() {
		return !this.work.isDisposed();
	}

}
