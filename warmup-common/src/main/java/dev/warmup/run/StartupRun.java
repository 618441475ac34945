package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Starts a run when the application is ready, and repeats it while it does not end well.
 * When the application stops, users leave while the web server still answers.
 */
final class StartupRun implements SmartLifecycle {

	/** Takes two minutes; by Eureka's defaults, services find each other within 95 s. */
	private static final int DEGRADED_REPEATS = 4;

	/** For gateways to look at an instance that leaves. */
	private static final Duration LEAVING_LIMIT = Duration.ofSeconds(2);

	/** For requests that a gateway was about to send when it looked. */
	private static final Duration LAST_REQUESTS = Duration.ofMillis(300);

	private final RunParts parts;

	private final Runs runs;

	private final Disposable.Swap running = Disposables.swap();

	private final ApplicationContext context;

	/** Completes when users have left; set while the application stops. */
	private volatile @Nullable Mono<Void> leaving;

	private volatile boolean started;

	private volatile boolean ready;

	StartupRun(RunParts parts, Runs runs, ApplicationContext context) {
		this.parts = parts;
		this.runs = runs;
		this.context = context;
	}

	/** Events of a child of this context are published here, too. */
	@EventListener
	void onReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.ready = true;
			begin();
		}
	}

	/** Not once it leaves: the contexts that close then have events, too. */
	@EventListener
	void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		if (!this.parts.gate().isLeaving()) {
			this.parts.news().send();
		}
	}

	/** Before the instance is removed from its registry, where gateways look it up. */
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onClosed(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context && this.ready) {
			leave().subscribe();
		}
	}

	private void begin() {
		this.running
			.update(Disposables.composite(this.parts.news().renewals().subscribe(), runUntilWarm().subscribe()));
	}

	/**
	 * Repeats the run while it fails or leaves the gate closed, and a few times while
	 * requests fail, as where another service that it calls is found only then; one that
	 * was only slow would slow users down. Another run meanwhile may end better.
	 */
	private Mono<Void> runUntilWarm() {
		AtomicInteger degraded = new AtomicInteger();
		return Mono
			.defer(() -> this.parts.gate().isOpen() && this.parts.state().phase() == Phase.WARM ? Mono.just(true)
					: this.runs.run(this.parts.settings().startupTrigger()).map((run) -> isEnough(run, degraded)))
			.filter((enough) -> enough)
			.repeatWhenEmpty(
					(tries) -> tries.concatMap((count) -> Mono.delay(pauseAfter(count), this.parts.scheduler())))
			.then();
	}

	/** Ten seconds at first, then twice as long, and never more than a minute. */
	private static Duration pauseAfter(long tries) {
		return Duration.ofSeconds(Math.min(60, 10L << Math.min(tries, 3)));
	}

	private boolean isEnough(RunRecord run, AtomicInteger degraded) {
		Verdict verdict = run.verdict().orElse(Verdict.FAILED);
		return this.parts.gate().isOpen() && verdict != Verdict.FAILED
				&& (verdict != Verdict.DEGRADED || run.failed() == 0 || degraded.getAndIncrement() >= DEGRADED_REPEATS);
	}

	@Override
	public void start() {
		this.leaving = null;
		this.parts.gate().comeBack();
		this.started = true;
		if (this.ready) { // a context that is started again
			this.parts.news().send();
			begin();
		}
	}

	@Override
	public boolean isRunning() {
		return this.started;
	}

	/** Spring's tests pause a context while they use another; its web server goes on. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	/** Stops before the web server does, by its phase. */
	@Override
	public void stop(Runnable callback) {
		this.started = false;
		leave().doFinally((signal) -> callback.run()).subscribe();
	}

	/** The run under way cleans up, and then gateways look at an instance that leaves. */
	private synchronized Mono<Void> leave() {
		Mono<Void> current = this.leaving;
		if (current == null) {
			this.parts.gate().leave();
			current = this.runs.stop()
				.doFinally((signal) -> this.running.update(Disposables.disposed()))
				.then(Mono.defer(this.parts.news()::send).timeout(LEAVING_LIMIT, Mono.empty(), this.parts.scheduler()))
				.then(Mono.delay(LAST_REQUESTS, this.parts.scheduler()).then())
				.cache();
			this.leaving = current;
		}
		return current;
	}

}
