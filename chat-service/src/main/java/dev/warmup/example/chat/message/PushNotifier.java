package dev.warmup.example.chat.message;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.WarmupContext;
import dev.warmup.example.chat.room.Members;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitResult;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Posts a notification of each message to the push service, for all members of the room
 * but the author. A message of a warm-up is not pushed. Notifications are sent in the
 * background: when too many wait, more are dropped, since a late notification is worth
 * less than a fast answer. The counter {@code chat.push} has the outcomes {@code sent},
 * {@code failed} and {@code dropped}. Safe for concurrent use.
 */
@Component
@ConditionalOnProperty("chat.push.url")
@EnableConfigurationProperties(PushProperties.class)
class PushNotifier implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(PushNotifier.class);

	private final Members members;

	private final WebClient client;

	private final PushProperties properties;

	private final MeterRegistry meters;

	private final AtomicBoolean failing = new AtomicBoolean();

	/** Guarded by this, since a sink refuses concurrent calls. */
	private Sinks.Many<Message> waiting;

	private volatile CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

	PushNotifier(Members members, WebClient.Builder builder, PushProperties properties, MeterRegistry meters) {
		this.members = members;
		this.client = builder.baseUrl(properties.url().toString()).build();
		this.properties = properties;
		this.meters = meters;
		this.waiting = queue();
	}

	private Sinks.Many<Message> queue() {
		return Sinks.many().unicast().onBackpressureBuffer(new ArrayBlockingQueue<>(this.properties.queueCapacity()));
	}

	/**
	 * Queues the notification of a message, unless the request is part of a warm-up.
	 * @param message the stored message
	 * @return completes at once, without an error; its context must be the request's
	 */
	Mono<Void> posted(Message message) {
		return Mono.deferContextual((context) -> {
			if (!WarmupContext.isWarmup(context) && offer(message).isFailure()) {
				count("dropped");
			}
			return Mono.empty();
		});
	}

	private synchronized EmitResult offer(Message message) {
		return this.waiting.tryEmitNext(message);
	}

	/** Starts before the web server and stops after it, when no request is left. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1024;
	}

	@Override
	public synchronized void start() {
		this.waiting = queue(); // the one of an earlier start is completed
		this.work = this.waiting.asFlux().flatMap(this::send, this.properties.concurrency()).then().toFuture();
	}

	private Mono<Void> send(Message message) {
		return this.members.of(message.roomId())
			.filter((member) -> member != message.userId())
			.collectList()
			.filter((recipients) -> !recipients.isEmpty())
			.flatMap((recipients) -> this.client.post()
				.bodyValue(
						new Notification(message.roomId(), message.id(), message.userId(), message.text(), recipients))
				.retrieve()
				.toBodilessEntity())
			.timeout(this.properties.timeout())
			.doOnNext((response) -> sent())
			.doOnError(this::failed)
			.onErrorComplete()
			.then();
	}

	private void sent() {
		count("sent");
		if (this.failing.compareAndSet(true, false)) {
			logger.info("Push notifications to " + this.properties.url() + " succeed again.");
		}
	}

	private void failed(Throwable error) {
		count("failed");
		if (this.failing.compareAndSet(false, true)) {
			logger.warn("Push notifications to " + this.properties.url() + " fail: " + error.getMessage()
					+ ". Further failures are only counted, in chat.push. Messages are stored as usual.");
		}
	}

	private void count(String outcome) {
		this.meters.counter("chat.push", "outcome", outcome).increment();
	}

	@Override
	public void stop(Runnable callback) {
		complete();
		Mono.fromFuture(this.work) // and cancels it after the timeout
			.timeout(this.properties.drain(), Mono.empty())
			.doFinally((signal) -> callback.run())
			.subscribe();
	}

	@Override
	public void stop() {
		complete();
		this.work.cancel(true);
	}

	private synchronized void complete() {
		this.waiting.tryEmitComplete();
	}

	@Override
	public boolean isRunning() {
		return !this.work.isDone();
	}

	/** The body of the request to the push service. */
	private record Notification(long roomId, long messageId, long senderId, String text, List<Long> recipientIds) {
	}

}
