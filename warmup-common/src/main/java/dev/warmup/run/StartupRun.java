package dev.warmup.run;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * Starts a run in the background when the application is ready, and again after pauses
 * that grow from 10 s to one minute as long as the instance is left {@link Phase#FAILED}
 * or its gate closed; and up to four times while it is left {@link Verdict#DEGRADED}, as
 * where another service that it calls is found only then. Opens the gate at a deadline,
 * whatever the run waits for, unless a failure is to keep it closed. Before the web
 * server stops, it ends the run under way, and then deregisters the instance from every
 * gateway.
 */
final class StartupRun implements ApplicationListener<ApplicationReadyEvent>, ApplicationContextAware, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(StartupRun.class);

	static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

	static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** Takes two minutes; by Eureka's defaults, services find each other within 95 s. */
	private static final int DEGRADED_AT_MOST = 4;

	private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

	private static final Duration STOP_CHECK = Duration.ofMillis(50);

	private final WarmupRunner runner;

	private final WarmupState state;

	private final Gate gate;

	private final Trigger trigger;

	private final Duration deadline;

	private final Scheduler scheduler;

	private final Disposable.Swap running = Disposables.swap();

	private final Disposable.Swap clock = Disposables.swap();

	private @Nullable ApplicationContext context;

	private volatile boolean started;

	private volatile boolean ready;

	/** The trigger is {@link Trigger#STARTUP} or {@link Trigger#TRAIN}. */
	StartupRun(WarmupRunner runner, WarmupState state, Gate gate, Trigger trigger, Duration deadline,
			Scheduler scheduler) {
		this.runner = runner;
		this.state = state;
		this.gate = gate;
		this.trigger = trigger;
		this.deadline = deadline;
		this.scheduler = scheduler;
	}

	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	/** That of a child of this context is published here, too. */
	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.ready = true;
			begin();
		}
	}

	/** The gate may have opened while the application still refused users. */
	@EventListener
	public void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
			this.runner.announceLater();
		}
	}

	private void begin() {
		this.clock.update(atDeadline().subscribe());
		this.running.update(untilOpen().subscribe());
	}

	/** Opens the gate when users have waited for long enough. */
	Mono<Void> atDeadline() {
		return Mono.delay(this.deadline, this.scheduler)
			.filter((tick) -> this.runner.openAtDeadline())
			.doOnNext((tick) -> logger.warn("The gate opens at its deadline of {} s; the warm-up run is not over yet",
					this.deadline.toSeconds()))
			.then();
	}

	/**
	 * Runs until a run through all gateways has left the gate open and the phase another
	 * than {@link Phase#FAILED}, or has nothing to send. That may be another run, in a
	 * pause. One that is degraded is repeated a few times, while the instance is.
	 */
	private Mono<Void> untilOpen() {
		AtomicBoolean repeated = new AtomicBoolean();
		AtomicInteger degraded = new AtomicInteger();
		Mono<List<RunRecord>> run = this.runner.run(this.trigger)
			.filter((runs) -> this.gate.isOpen() && (isSkipped(runs) || this.state.phase().phase() != Phase.FAILED))
			.filter((runs) -> !isDegraded(runs) || degraded.getAndIncrement() >= DEGRADED_AT_MOST)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException(
					"The run failed, was degraded, left the gate closed, or found another one under way")))
			.doOnError((error) -> repeated.set(true));
		return Mono
			.defer(() -> (repeated.get() && !isUnfinished() && this.state.phase().phase() != Phase.DEGRADED)
					? Mono.<List<RunRecord>>empty() : run)
			.retryWhen(Retries.backoff(FIRST_PAUSE, LONGEST_PAUSE, this.scheduler))
			.then();
	}

	private static boolean isSkipped(List<RunRecord> runs) {
		return !runs.isEmpty() && runs.stream().map(RunRecord::verdict).allMatch(Verdict.SKIPPED::equals);
	}

	private static boolean isDegraded(List<RunRecord> runs) {
		return runs.stream().map(RunRecord::verdict).anyMatch(Verdict.DEGRADED::equals);
	}

	@Override
	public void start() {
		this.runner.resume();
		this.started = true;
		if (this.ready && isUnfinished()) { // a context that is started again
			begin();
		}
	}

	private boolean isUnfinished() {
		return !this.gate.isOpen() || EnumSet.of(Phase.COLD, Phase.WARMING, Phase.RAMPING, Phase.FAILED)
			.contains(this.state.phase().phase());
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

	/**
	 * Lets a run under way clean up, and users leave, while the web server answers. A
	 * context may be started again before that is over.
	 */
	@Override
	public void stop(Runnable callback) {
		this.started = false;
		this.clock.update(Disposables.disposed());
		Disposable ending = Optional.ofNullable(this.running.get()).orElseGet(Disposables::disposed);
		Disposable runs = this.runner.stop();
		Flux.interval(Duration.ZERO, STOP_CHECK, this.scheduler)
			.takeWhile((tick) -> this.runner.isRunning())
			.take(STOP_LIMIT, this.scheduler)
			.doOnTerminate(ending::dispose)
			.doOnTerminate(runs::dispose)
			.then(Mono.defer(() -> this.started ? Mono.empty() : this.runner.deregister()))
			.doFinally((signal) -> callback.run())
			.subscribe();
	}

}
