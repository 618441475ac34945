package dev.warmup.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import reactor.core.scheduler.Scheduler;

/** The time a run may take, counted from its creation. Thread-safe. */
public final class Budget {

	private final Scheduler scheduler;

	private final Instant end;

	private final AtomicBoolean stopped;

	private Budget(Scheduler scheduler, Instant end, AtomicBoolean stopped) {
		this.scheduler = scheduler;
		this.end = end;
		this.stopped = stopped;
	}

	/**
	 * Starts the clock.
	 * @param duration how long the run may take from now on
	 * @param scheduler whose clock counts
	 * @return the running budget
	 */
	public static Budget start(Duration duration, Scheduler scheduler) {
		return new Budget(scheduler, now(scheduler).plus(duration), new AtomicBoolean());
	}

	/**
	 * Cuts a part out of what remains.
	 * @param parts how many parts of the same size remain
	 * @return a budget that starts now and lasts for one of them, and ends when this one
	 * is {@linkplain #stop() stopped}
	 */
	public Budget share(int parts) {
		return new Budget(this.scheduler, now(this.scheduler).plus(remaining().dividedBy(parts)), this.stopped);
	}

	/**
	 * How much is left.
	 * @return the time, never negative
	 */
	public Duration remaining() {
		if (this.stopped.get()) {
			return Duration.ZERO;
		}
		Duration remaining = Duration.between(now(this.scheduler), this.end);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	/**
	 * Tells whether nothing is left.
	 * @return {@code true} after the end, and once {@linkplain #stop() stopped}
	 */
	public boolean isOver() {
		return remaining().isZero();
	}

	/** Ends the budget now. */
	public void stop() {
		this.stopped.set(true);
	}

	private static Instant now(Scheduler scheduler) {
		return Instant.EPOCH.plusNanos(scheduler.now(TimeUnit.NANOSECONDS));
	}

}
