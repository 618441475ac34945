package dev.warmup.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The time a run may wait or send. It is counted by a monotonic clock, so that a
 * correction of the wall clock neither shortens a run nor prolongs it. Thread-safe.
 */
final class Budget {

	private final LongSupplier nanoTime;

	private final Span span;

	private final @Nullable Budget above;

	private final Sinks.Empty<Void> stop = Sinks.empty();

	private final Sinks.Empty<Void> cancel = Sinks.empty();

	private volatile boolean stopped;

	private Budget(LongSupplier nanoTime, Span span, @Nullable Budget above) {
		this.nanoTime = nanoTime;
		this.span = span;
		this.above = above;
	}

	/**
	 * Lasts that long from now on.
	 * @param nanoTime the clock, such as {@link System#nanoTime()}
	 */
	static Budget start(Duration duration, LongSupplier nanoTime) {
		return new Budget(nanoTime, new Span(nanoTime.getAsLong(), duration), null);
	}

	/**
	 * Lasts that long from now on. It ends when this budget is {@linkplain #stop()
	 * stopped}, and can be stopped without ending this one.
	 */
	Budget within(Duration duration) {
		return new Budget(this.nanoTime, new Span(this.nanoTime.getAsLong(), duration), this);
	}

	/** Always as long as this budget; can be stopped without ending it. */
	Budget branch() {
		return new Budget(this.nanoTime, this.span, this);
	}

	/** Begins anew, for the replay that follows a wait, unless it is stopped. */
	void restart(Duration duration) {
		this.span.restart(this.nanoTime.getAsLong(), duration);
	}

	/** Ends after that duration, whatever waits gateways request. */
	void endAfter(Duration duration) {
		this.span.endAfter(this.nanoTime.getAsLong(), duration);
	}

	/** Begins anew with that duration if less is left. */
	void atLeast(Duration duration) {
		if (remaining().compareTo(duration) < 0) {
			restart(duration);
		}
	}

	/**
	 * Extends the budget by a wait that begins now and that a gateway requested: of
	 * concurrent waits only the longest counts, and all together at most 20 times the
	 * initial duration.
	 */
	void extend(Duration wait) {
		this.span.extend(this.nanoTime.getAsLong(), wait.toNanos());
	}

	/** Whether waits have extended it by as much as they may. */
	boolean isFullyExtended() {
		return this.span.isFullyExtended();
	}

	/** What is left, never negative; zero once stopped. */
	Duration remaining() {
		return isStopped() ? Duration.ZERO : this.span.remaining(this.nanoTime.getAsLong());
	}

	/** The shorter of a limit and what is left. */
	Duration atMost(Duration limit) {
		Duration left = remaining();
		return (limit.compareTo(left) < 0) ? limit : left;
	}

	/** Whether nothing is left. */
	boolean isOver() {
		return remaining().isZero();
	}

	/** Ends the budget now. */
	void stop() {
		this.stopped = true;
		this.stop.tryEmitEmpty();
	}

	/** Cancels the run: what is under way ends at once, without a verdict. */
	void cancel() {
		this.cancel.tryEmitEmpty();
	}

	/** Completes once the run is to be canceled. */
	Mono<Void> whenCanceled() {
		return this.cancel.asMono();
	}

	/** Whether it, or the budget it is a part of, was ended before its time. */
	boolean isStopped() {
		return this.stopped || (this.above != null && this.above.isStopped());
	}

	/** Completes once it, or the budget it is a part of, is stopped. */
	Mono<Void> whenStopped() {
		return (this.above == null) ? this.stop.asMono()
				: Mono.firstWithSignal(this.stop.asMono(), this.above.whenStopped());
	}

	/** When it ends, and by how much it may still be extended; all in nanoseconds. */
	private static final class Span {

		private static final int MAX_EXTENSION_TIMES = 20;

		private long end;

		private long extendedUntil;

		private long remainingExtension;

		private boolean fullyExtended;

		Span(long now, Duration duration) {
			restart(now, duration);
		}

		synchronized void restart(long now, Duration duration) {
			this.end = now + duration.toNanos();
			this.extendedUntil = now;
			this.remainingExtension = MAX_EXTENSION_TIMES * duration.toNanos();
			this.fullyExtended = false;
		}

		synchronized void endAfter(long now, Duration duration) {
			restart(now, duration);
			this.remainingExtension = 0;
		}

		synchronized void extend(long now, long wait) {
			if (this.remainingExtension == 0) {
				return;
			}
			long overlap = Math.max(0, this.extendedUntil - now);
			long extension = Math.min(Math.max(0, wait - overlap), this.remainingExtension);
			this.remainingExtension -= extension;
			this.fullyExtended = this.remainingExtension == 0;
			this.end += extension;
			this.extendedUntil = now + Math.max(wait, overlap);
		}

		synchronized boolean isFullyExtended() {
			return this.fullyExtended;
		}

		synchronized Duration remaining(long now) {
			return Duration.ofNanos(Math.max(0, this.end - now));
		}

	}

}
