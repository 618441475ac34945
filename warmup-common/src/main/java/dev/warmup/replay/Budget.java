package dev.warmup.replay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The time a run may wait or send, counted from its creation by a clock that nobody sets,
 * so that a correction of the wall clock neither cuts a run nor draws it out.
 * Thread-safe.
 */
public final class Budget {

	private final LongSupplier nanoTime;

	private final AtomicLong end;

	private final BooleanSupplier stoppedAbove;

	private final AtomicBoolean stopped = new AtomicBoolean();

	private Budget(Duration duration, LongSupplier nanoTime, BooleanSupplier stoppedAbove) {
		this.nanoTime = nanoTime;
		this.end = new AtomicLong(nanoTime.getAsLong() + duration.toNanos());
		this.stoppedAbove = stoppedAbove;
	}

	/**
	 * Starts the clock.
	 * @param duration how long it lasts from now on
	 * @param nanoTime the clock, such as {@link System#nanoTime()}
	 * @return the running budget
	 */
	public static Budget start(Duration duration, LongSupplier nanoTime) {
		return new Budget(duration, nanoTime, () -> false);
	}

	/**
	 * Cuts a part out of what remains.
	 * @param parts how many parts of the same size remain
	 * @return a budget that starts now and lasts for one of them; it ends when this one
	 * is {@linkplain #stop() stopped}, and can be stopped without ending this one
	 */
	public Budget share(int parts) {
		return new Budget(remaining().dividedBy(parts), this.nanoTime, this::isStopped);
	}

	/**
	 * Begins anew, for the replay that follows a wait.
	 * @param duration how long it lasts from now on, unless it is stopped
	 */
	public void restart(Duration duration) {
		this.end.set(this.nanoTime.getAsLong() + duration.toNanos());
	}

	/**
	 * Gives time back that did not count.
	 * @param duration how much later it ends
	 */
	public void extend(Duration duration) {
		this.end.addAndGet(duration.toNanos());
	}

	/**
	 * How much is left.
	 * @return the time, never negative
	 */
	public Duration remaining() {
		return isStopped() ? Duration.ZERO : Duration.ofNanos(Math.max(0, this.end.get() - this.nanoTime.getAsLong()));
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

	/**
	 * Tells whether it was ended before its time.
	 * @return {@code true} once it, or what it is a share of, was stopped
	 */
	public boolean isStopped() {
		return this.stopped.get() || this.stoppedAbove.getAsBoolean();
	}

}
