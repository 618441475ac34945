package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.UserActivity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Opens the gate before a startup run has ended, and lets the rest of the run go on
 * between users' requests. Where another instance takes users, a half-warm one that gets
 * a few of them does no harm; where there is none, users wait no longer than the budget.
 * Thread-safe.
 */
final class Ramp {

	/**
	 * How long no user request must have been in flight: otherwise a user who sends the
	 * next request right after an answer would meet a request of the run.
	 */
	private static final Duration GAP = Duration.ofMillis(10);

	/**
	 * How often a request looks for a gap between users' requests, once the pause after
	 * the one before is over.
	 */
	private static final Duration GAP_CHECK = Duration.ofMillis(2);

	/** How often it looks, in a pause, whether users still come. */
	private static final Duration ABSENCE_CHECK = Duration.ofMillis(50);

	/** What is in flight for longer may be a stream, which a user holds for hours. */
	private static final Duration STREAM = Duration.ofMillis(200);

	/** Under steady load there may be no gap; the run then goes on slowly. */
	private static final Duration MAX_GAP_WAIT = Duration.ofSeconds(1);

	/**
	 * How many times as long as its last request a run pauses while users send requests.
	 * It rarely takes more than a tenth of a processor through each gateway then, and
	 * less where instances compete for processors, since its requests take longer.
	 */
	private static final int PAUSE_FACTOR = 9;

	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	/** Without a user for so long, the run does not pause. */
	private static final Duration ABSENT = Duration.ofSeconds(1);

	/** Longer than what contention is measured over. */
	private static final Duration UNDISTURBED = Duration.ofSeconds(3);

	private final BooleanSupplier firstAndOnly;

	private final AtomicBoolean possible;

	private final BooleanSupplier usersMayCome;

	private final BooleanSupplier open;

	private final Function<RunRecord, Mono<Void>> announce;

	private final UserActivity users;

	private final Timing timing;

	private final Sinks.Empty<Void> start = Sinks.empty();

	private final Sinks.Empty<Void> overdue = Sinks.empty();

	private final Sinks.Empty<Void> decided = Sinks.empty();

	private volatile boolean started;

	private volatile long startedAt;

	/**
	 * A ramp that has not started.
	 * @param firstAndOnly whether it is of the first startup run, and no other goes on
	 * @param possible whether it may
	 * @param usersMayCome whether the gate is open
	 * @param open opens the gate; whether it is open now
	 * @param announce reports the run so far to gateways
	 */
	Ramp(BooleanSupplier firstAndOnly, boolean possible, BooleanSupplier usersMayCome, BooleanSupplier open,
			Function<RunRecord, Mono<Void>> announce, UserActivity users, Timing timing) {
		this.firstAndOnly = firstAndOnly;
		this.possible = new AtomicBoolean(possible);
		this.usersMayCome = usersMayCome;
		this.open = open;
		this.announce = announce;
		this.users = users;
		this.timing = timing;
		if (!possible) {
			this.decided.tryEmitEmpty();
		}
	}

	/** Whether it may still start. */
	boolean isPossible() {
		return this.possible.get();
	}

	/** Whether users may come, so that the run is to send between their requests. */
	boolean isBesideUsers() {
		return this.usersMayCome.getAsBoolean();
	}

	/** Whether it has started. */
	boolean isStarted() {
		return this.started;
	}

	/** What is left of the time that a run may go on, once this has started. */
	Duration left(Duration window) {
		Duration left = window.minusNanos(this.timing.now() - this.startedAt);
		return left.isNegative() ? Duration.ZERO : left;
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
	 * Completes once it has started, or is not to start; never where that is not decided.
	 */
	Mono<Void> whenDecided() {
		return this.decided.asMono();
	}

	/**
	 * Opens the gate unless it is open; only the first call does.
	 * @param soFar the record of the run by now
	 * @return completes when gateways know of it, or at once where the gate stays closed,
	 * or where another call has begun to open it
	 */
	Mono<Void> start(RunRecord soFar) {
		return Mono.defer(() -> {
			if (!this.possible.compareAndSet(true, false)) {
				return Mono.empty();
			}
			boolean opened = this.open.getAsBoolean();
			if (opened) {
				this.startedAt = this.timing.now();
				this.started = true;
				this.start.tryEmitEmpty();
			}
			this.decided.tryEmitEmpty();
			return opened ? this.announce.apply(soFar) : Mono.empty();
		});
	}

	/**
	 * Whether it is the startup run that uses the processors here, and no user: what else
	 * takes them is contention. One that lasts into a second run is how the machine is.
	 */
	boolean isUndisturbed() {
		return this.firstAndOnly.getAsBoolean() && this.users.isQuietFor(UNDISTURBED);
	}

	/** For one gateway: completes when the next request may be sent through it. */
	Mono<Void> gap() {
		AtomicLong last = new AtomicLong(this.timing.now());
		return Mono.defer(() -> {
			Duration pause = pause(this.timing.now() - last.get());
			return until(this::isWithoutUsers, ABSENCE_CHECK, pause)
				.then(until(() -> isWithoutUsers() || isGap(), GAP_CHECK, MAX_GAP_WAIT));
		}).doOnTerminate(() -> last.set(this.timing.now()));
	}

	private Mono<Void> until(BooleanSupplier condition, Duration period, Duration limit) {
		return Mono.defer(() -> condition.getAsBoolean() ? Mono.empty()
				: Flux.interval(period, this.timing.scheduler())
					.takeUntil((check) -> condition.getAsBoolean())
					.take(limit, this.timing.scheduler())
					.then());
	}

	private static Duration pause(long took) {
		Duration pause = Duration.ofNanos(took).multipliedBy(PAUSE_FACTOR);
		return (pause.compareTo(MAX_PAUSE) < 0) ? pause : MAX_PAUSE;
	}

	private boolean isWithoutUsers() {
		return !isBesideUsers() || this.users.isUnchangedFor(ABSENT);
	}

	private boolean isGap() {
		return this.users.isQuietFor(GAP) || this.users.isUnchangedFor(STREAM);
	}

}
