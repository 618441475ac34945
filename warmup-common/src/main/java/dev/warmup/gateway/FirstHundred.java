package dev.warmup.gateway;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * The first 100 latencies, in microseconds. Thread-safe without a lock; once full, a look
 * at one volatile field is all it takes.
 */
public final class FirstHundred {

	public static final int SIZE = 100;

	private final AtomicInteger taken = new AtomicInteger();

	private final AtomicInteger written = new AtomicInteger();

	/** Zero where nothing is written yet. */
	private final AtomicIntegerArray latencies = new AtomicIntegerArray(SIZE);

	/** Whether no more are wanted. */
	boolean isFull() {
		return this.taken.get() >= SIZE;
	}

	/**
	 * Takes a place.
	 * @return the place from 0, or empty when there is none left; {@link #write} must
	 * follow
	 */
	OptionalInt take() {
		if (isFull()) {
			return OptionalInt.empty();
		}
		int place = this.taken.getAndIncrement();
		return (place < SIZE) ? OptionalInt.of(place) : OptionalInt.empty();
	}

	/** Writes a latency; {@code true} for the one that makes it a hundred. */
	boolean write(int place, Duration latency) {
		long micros = TimeUnit.NANOSECONDS.toMicros(latency.toNanos());
		this.latencies.set(place, (int) Math.max(1, Math.min(Integer.MAX_VALUE, micros)));
		return this.written.incrementAndGet() == SIZE;
	}

	/** The latencies so far, in ascending order. */
	int[] sorted() {
		return IntStream.range(0, SIZE).map(this.latencies::get).filter((micros) -> micros > 0).sorted().toArray();
	}

	/** The latency that so many percent do not exceed, by the nearest rank. */
	static Optional<Duration> percentile(int[] sorted, int percent) {
		if (sorted.length == 0) {
			return Optional.empty();
		}
		int rank = (sorted.length * percent + 99) / 100;
		return Optional.of(Duration.of(sorted[Math.max(1, rank) - 1], ChronoUnit.MICROS));
	}

}
