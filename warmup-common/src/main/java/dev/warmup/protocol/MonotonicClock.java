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

	@SuppressWarnings("TimeInStaticInitializer") // one start for all is the purpose
	private static final Clock SYSTEM = new MonotonicClock(Instant.now(), System::nanoTime);

	private final Instant start;

	private final long startNanos;

	private final LongSupplier nanoTime;

	MonotonicClock(Instant start, LongSupplier nanoTime) {
		this.start = start;
		this.startNanos = nanoTime.getAsLong();
		this.nanoTime = nanoTime;
	}

	/**
	 * The clock of this JVM: the system's time as of its first use, and from then on
	 * {@link System#nanoTime()}. It is one for all, so that instants of several readers
	 * compare, whatever happens to the wall clock between their creation.
	 */
	public static Clock system() {
		return SYSTEM;
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
