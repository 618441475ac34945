package dev.warmup.service;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The time of day as of its first use, and from then on {@link System#nanoTime()}, which
 * no correction moves. Ages that are compared come from it: a wall clock that is set back
 * by an hour must not keep a gate closed for an hour.
 */
public final class MonotonicClock extends Clock {

	private static final Clock SYSTEM = new MonotonicClock();

	private final Instant start = Instant.now();

	private final long startNanos = System.nanoTime();

	private MonotonicClock() {
	}

	/** The one clock of this JVM, so that instants of several readers compare. */
	public static Clock system() {
		return SYSTEM;
	}

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
