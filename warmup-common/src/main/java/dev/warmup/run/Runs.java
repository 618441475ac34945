package dev.warmup.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.util.AlternativeJdkIdGenerator;

/** Starts runs, one at a time, and remembers the last ones. Thread-safe. */
public final class Runs {

	private static final int REMEMBERED = 10;

	/** From the start of a run that somebody asked for until the next one. */
	private static final Duration COOL_DOWN = Duration.ofSeconds(10);

	/** For a run's {@code finally} requests when the application stops. */
	private static final Duration STOP_LIMIT = Duration.ofSeconds(3);

	private static final Logger logger = LoggerFactory.getLogger(Runs.class);

	/** Does not block, as {@code UUID.randomUUID()} may. */
	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final RunParts parts;

	private final Duration idleAfter;

	private final Duration idleDelay;

	private final AtomicReference<@Nullable WarmupRun> underWay = new AtomicReference<>();

	private volatile List<RunRecord> last = List.of();

	/** When the last run ended; until then, when this was created. */
	private volatile Instant lastEnd;

	/**
	 * Creates it with nothing under way.
	 * @param idleAfter after how long without users and runs the instance is warmed
	 * again; zero for never
	 * @param idleDelay the same with jitter
	 */
	Runs(RunParts parts, Duration idleAfter, Duration idleDelay) {
		this.parts = parts;
		this.idleAfter = idleAfter;
		this.idleDelay = idleDelay;
		this.lastEnd = parts.clock().instant();
	}

	/** Starts a run on demand, which replays what a startup run replays. */
	public Start startManually() {
		if (!isUnderWay() && isCoolingDown((run) -> run.trigger() == Trigger.MANUAL)) {
			return Start.COOLING_DOWN;
		}
		return start(Trigger.MANUAL, null) ? Start.STARTED : Start.BUSY;
	}

	private boolean isCoolingDown(Predicate<RunRecord> alike) {
		Instant now = this.parts.clock().instant();
		return last().stream().filter(alike).anyMatch((run) -> now.isBefore(run.startedAt().plus(COOL_DOWN)));
	}

	/** The last runs, the newest first; ten at most. */
	public List<RunRecord> last() {
		return this.last;
	}

	/** When a user was last here, and when the instance is warmed again. */
	public IdleStatus idle() {
		Optional<Instant> lastUser = this.parts.users().last();
		Instant end = this.lastEnd;
		Optional<Instant> next = Optional.of(lastUser.filter((user) -> user.isAfter(end)).orElse(end))
			.filter((latest) -> !this.idleAfter.isZero())
			.map((latest) -> latest.plus(this.idleDelay));
		return new IdleStatus(this.idleAfter, lastUser, next);
	}

	/** Starts a run if the instance has been idle for long enough since its first. */
	void startIfIdle() {
		Instant now = this.parts.clock().instant();
		if (!last().isEmpty() && idle().next().filter((next) -> !now.isBefore(next)).isPresent()) {
			start(Trigger.IDLE, null);
		}
	}

	/**
	 * Starts a run through a gateway that has asked for it. Otherwise a startup run whose
	 * gate is open ends for it, as it does for a user.
	 */
	boolean startThrough(Gateway gateway) {
		boolean started = start(Trigger.STARTUP, gateway);
		Optional.ofNullable(this.underWay.get()).filter((run) -> !started).ifPresent(WarmupRun::gatewayWaits);
		return started;
	}

	/**
	 * Whether a run through a gateway has to wait: until the first run begins, or since
	 * there was one through it a few seconds ago.
	 */
	boolean isBusyFor(String gatewayId) {
		return (last().isEmpty() && !isUnderWay())
				|| isCoolingDown((run) -> run.trigger() == Trigger.STARTUP && run.gateways().contains(gatewayId));
	}

	private boolean isUnderWay() {
		return this.underWay.get() != null;
	}

	private boolean start(Trigger trigger, @Nullable Gateway only) {
		Optional<Mono<RunRecord>> run = begin(trigger, only);
		run.ifPresent(Mono::subscribe);
		return run.isPresent();
	}

	/**
	 * Runs once.
	 * @return the run; empty where another is under way, or this one is canceled
	 */
	Mono<RunRecord> run(Trigger trigger) {
		return Mono.defer(() -> begin(trigger, null).orElseGet(Mono::empty));
	}

	private Optional<Mono<RunRecord>> begin(Trigger trigger, @Nullable Gateway only) {
		WarmupRun run = new WarmupRun(this.parts, IDS.generateId().toString(), trigger, only);
		if (this.parts.gate().isLeaving() || !this.underWay.compareAndSet(null, run)) {
			return Optional.empty();
		}
		return Optional.of(Mono.using(() -> run,
				(begun) -> begun.execute()
					.doOnNext(this::remember)
					.doOnNext((record) -> this.parts.events().publishEvent(new RunEnded(record))),
				(ended) -> this.underWay.set(null))
			.onErrorResume((error) -> {
				logger.error("The end of a warm-up run could not be published", error);
				return Mono.empty();
			}));
	}

	private void remember(RunRecord run) {
		this.lastEnd = this.parts.clock().instant();
		this.last = Stream.concat(Stream.of(run), this.last.stream()).limit(REMEMBERED).toList();
	}

	/**
	 * Ends the run under way, if any, once it has cleaned up. No other begins while the
	 * instance leaves.
	 * @return completes when it has ended, after three seconds at most
	 */
	Mono<Void> stop() {
		return Mono.defer(() -> {
			WarmupRun run = this.underWay.get();
			return (run == null) ? Mono.empty() : run.stop().timeout(STOP_LIMIT, Mono.empty(), this.parts.scheduler());
		});
	}

	/** What became of a run on demand. */
	public enum Start {

		/** It has begun. */
		STARTED,

		/** Another one is under way, or the application stops. */
		BUSY,

		/** One was started less than ten seconds ago. */
		COOLING_DOWN

	}

	/**
	 * When an instance without users is warmed again.
	 *
	 * @param after for how long it must have been without users and runs; zero for never
	 * @param lastUserRequest when a user's request last began
	 * @param next when the next run is due, if no user comes before
	 */
	public record IdleStatus(Duration after, Optional<Instant> lastUserRequest, Optional<Instant> next) {

	}

}
