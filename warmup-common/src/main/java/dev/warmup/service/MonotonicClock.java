package dev.warmup.service;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The time of day as of its creation, and from then on {@link System#nanoTime()}, which
 * no correction moves. Ages that are compared come from it: a wall clock that is set back
 * by an hour must not keep a gate closed for an hour.
 */
public final class MonotonicClock extends Clock {

	private final Instant start = Instant.now();

	private final long startNanos = System.nanoTime();

	@Override
	public Instant instant() {
		return this.start.plusNanos(System.nanoTime() - this.startNanos);
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
