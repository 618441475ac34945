package dev.warmup.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The time a run may wait or send, counted from its creation by a clock that nobody sets,
 * so that a correction of the wall clock neither cuts a run nor draws it out.
 * Thread-safe.
 */
public final class Budget {

	private final LongSupplier nanoTime;

	private final Span span;

	private final @Nullable Budget above;

	private final Sinks.Empty<Void> stop = Sinks.empty();

	private volatile boolean stopped;

	private Budget(LongSupplier nanoTime, Span span, @Nullable Budget above) {
		this.nanoTime = nanoTime;
		this.span = span;
		this.above = above;
	}

	/**
	 * Starts the clock.
	 * @param duration how long it lasts from now on
	 * @param nanoTime the clock, such as {@link System#nanoTime()}
	 * @return the running budget
	 */
	public static Budget start(Duration duration, LongSupplier nanoTime) {
		return new Budget(nanoTime, new Span(nanoTime.getAsLong(), duration, null), null);
	}

	/**
	 * Cuts a part out of what remains.
	 * @param parts how many parts of the same size remain
	 * @return a budget that starts now and lasts for one of them; it ends when this one
	 * is {@linkplain #stop() stopped}, and can be stopped without ending this one
	 */
	public Budget share(int parts) {
		return new Budget(this.nanoTime, new Span(this.nanoTime.getAsLong(), remaining().dividedBy(parts), this.span),
				this);
	}

	/**
	 * The same time for a part of the work.
	 * @return a budget that is always as long as this one and ends with it, and can be
	 * stopped without ending this one
	 */
	public Budget branch() {
		return new Budget(this.nanoTime, this.span, this);
	}

	/**
	 * Begins anew, for the replay that follows a wait.
	 * @param duration how long it lasts from now on, unless it is stopped
	 */
	public void restart(Duration duration) {
		this.span.restart(this.nanoTime.getAsLong(), duration);
	}

	/**
	 * Gives time back that did not count.
	 * @param duration how much later it ends
	 */
	public void extend(Duration duration) {
		this.span.extend(duration);
	}

	/**
	 * Gives a wait back that a gateway asked for: of waits side by side only the longest,
	 * and in all at most 20 times as much as it was given at its start. Until it is
	 * {@linkplain #restart restarted}, the budget that it is a share of gets it back too.
	 * @param wait how long the wait is that begins now
	 */
	public void excuse(Duration wait) {
		this.span.excuse(this.nanoTime.getAsLong(), wait.toNanos());
	}

	/**
	 * How much is left.
	 * @return the time, never negative
	 */
	public Duration remaining() {
		return isStopped() ? Duration.ZERO : this.span.remaining(this.nanoTime.getAsLong());
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
		this.stopped = true;
		this.stop.tryEmitEmpty();
	}

	/**
	 * Tells whether it was ended before its time.
	 * @return {@code true} once it, or what it is a part of, was stopped
	 */
	public boolean isStopped() {
		return this.stopped || (this.above != null && this.above.isStopped());
	}

	/**
	 * Waits for {@link #stop()}.
	 * @return completes once it, or what it is a part of, is stopped
	 */
	public Mono<Void> whenStopped() {
		return (this.above == null) ? this.stop.asMono()
				: Mono.firstWithSignal(this.stop.asMono(), this.above.whenStopped());
	}

	/** When it ends, and what it may still be given back; all in nanoseconds. */
	private static final class Span {

		private static final int EXCUSED_AT_MOST = 20;

		private @Nullable Span above;

		private long end;

		private long excusedUntil;

		private long excusable;

		Span(long now, Duration duration, @Nullable Span above) {
			this.above = above;
			this.end = now + duration.toNanos();
			this.excusedUntil = now;
			this.excusable = EXCUSED_AT_MOST * duration.toNanos();
		}

		synchronized void restart(long now, Duration duration) {
			this.above = null;
			this.end = now + duration.toNanos();
			this.excusedUntil = now;
			this.excusable = EXCUSED_AT_MOST * duration.toNanos();
		}

		synchronized void extend(Duration duration) {
			this.end += duration.toNanos();
		}

		synchronized void excuse(long now, long wait) {
			long sideBySide = Math.max(0, this.excusedUntil - now);
			long given = Math.min(Math.max(0, wait - sideBySide), this.excusable);
			this.excusable -= given;
			this.end += given;
			this.excusedUntil = now + Math.max(wait, sideBySide);
			if (this.above != null) {
				this.above.excuse(now, wait);
			}
		}

		synchronized Duration remaining(long now) {
			return Duration.ofNanos(Math.max(0, this.end - now));
		}

	}

}
