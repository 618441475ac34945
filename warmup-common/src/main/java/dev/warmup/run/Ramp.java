package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.UserActivity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Opens the gate before a run at start has ended, and lets the rest of the run go on
 * between users' requests. Where another instance takes users, a half-warm one that gets
 * a few of them harms nobody; where there is none, users wait no longer than the budget.
 * Thread-safe.
 */
final class Ramp {

	/**
	 * How long no user was in flight: one who sends the next request right after an
	 * answer would meet a request of the run else.
	 */
	private static final Duration GAP = Duration.ofMillis(10);

	/** How often a request looks for a gap between users' requests. */
	private static final Duration GAP_CHECK = Duration.ofMillis(2);

	/** So that a stream, which a user may hold for hours, does not end the run. */
	private static final Duration MAX_GAP_WAIT = Duration.ofMillis(200);

	/** Longer than what contention is measured over. */
	private static final Duration UNDISTURBED = Duration.ofSeconds(3);

	private final boolean startup;

	private final AtomicBoolean possible;

	private final BooleanSupplier open;

	private final Function<RunRecord, Mono<Void>> announce;

	private final UserActivity users;

	private final Timing timing;

	private final Sinks.Empty<Void> start = Sinks.empty();

	private final Sinks.Empty<Void> overdue = Sinks.empty();

	private volatile boolean started;

	/**
	 * A ramp that has not started.
	 * @param startup whether it is of the run at start
	 * @param possible whether it may
	 * @param open opens the gate; whether it is open now
	 * @param announce reports the run so far to gateways
	 */
	Ramp(boolean startup, boolean possible, BooleanSupplier open, Function<RunRecord, Mono<Void>> announce,
			UserActivity users, Timing timing) {
		this.startup = startup;
		this.possible = new AtomicBoolean(possible);
		this.open = open;
		this.announce = announce;
		this.users = users;
		this.timing = timing;
	}

	/** Whether it may still start. */
	boolean isPossible() {
		return this.possible.get();
	}

	/** Whether the run goes on though users come. */
	boolean isStarted() {
		return this.started;
	}

	/** The gate had to be opened, whatever the run has reached. */
	void overdue() {
		this.overdue.tryEmitEmpty();
	}

	/** Completes once that is so. */
	Mono<Void> whenOverdue() {
		return this.overdue.asMono();
	}

	/** Completes once users come; never where they do not. */
	Mono<Void> whenStarted() {
		return this.start.asMono();
	}

	/**
	 * Opens the gate unless it is open; only the first call does.
	 * @param soFar the record of the run by now
	 * @return completes when gateways know of it, or at once where the gate stays closed
	 */
	Mono<Void> start(RunRecord soFar) {
		return Mono.defer(() -> {
			if (!this.possible.compareAndSet(true, false) || !this.open.getAsBoolean()) {
				return Mono.empty();
			}
			this.started = true;
			this.start.tryEmitEmpty();
			return this.announce.apply(soFar);
		});
	}

	/**
	 * Whether it is the run at start that uses the processors here, and no user: what
	 * else takes them is contention.
	 */
	boolean isUndisturbed() {
		return this.startup && this.users.isQuietFor(UNDISTURBED);
	}

	/** Completes when the next request may be sent. */
	Mono<Void> gap() {
		return Mono.defer(() -> (!this.started || this.users.isQuietFor(GAP)) ? Mono.empty()
				: Flux.interval(GAP_CHECK, this.timing.scheduler())
					.takeUntil((check) -> this.users.isQuietFor(GAP))
					.take(MAX_GAP_WAIT, this.timing.scheduler())
					.then());
	}

}
