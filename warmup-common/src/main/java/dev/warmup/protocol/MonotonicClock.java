package dev.warmup.protocol;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/**
 * The time of day as of its creation, and from then on what a clock measures that no
 * correction moves. Ages that are compared come from it: a wall clock that is set back by
 * an hour must not keep a gate closed, or an announcement alive, for an hour.
 */
public final class MonotonicClock extends Clock {

	private final Instant start;

	private final long startNanos;

	private final LongSupplier nanoTime;

	MonotonicClock(Instant start, LongSupplier nanoTime) {
		this.start = start;
		this.startNanos = nanoTime.getAsLong();
		this.nanoTime = nanoTime;
	}

	/**
	 * A clock that shows the system's time as of now, and goes on by
	 * {@link System#nanoTime()}.
	 */
	public static Clock start() {
		return new MonotonicClock(Instant.now(), System::nanoTime);
	}

	@Override
	public Instant instant() {
		return this.start.plus(Duration.ofNanos(this.nanoTime.getAsLong() - this.startNanos));
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("Only instants are read");
	}

}
