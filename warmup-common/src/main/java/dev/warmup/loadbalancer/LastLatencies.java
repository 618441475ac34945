package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalDouble;

/** The last latencies of a kind of request. Not thread-safe. */
final class LastLatencies {

	private final long[] nanos;

	private long count;

	/** Keeps so many. */
	LastLatencies(int kept) {
		this.nanos = new long[kept];
	}

	void add(Duration latency) {
		this.nanos[(int) (this.count++ % this.nanos.length)] = latency.toNanos();
	}

	/** How many there are now. */
	int size() {
		return (int) Math.min(this.count, this.nanos.length);
	}

	/** Their median, in nanoseconds; empty where there are fewer than {@code least}. */
	OptionalDouble median(int least) {
		int size = size();
		if (size < least) {
			return OptionalDouble.empty();
		}
		long[] sorted = Arrays.copyOf(this.nanos, size);
		Arrays.sort(sorted);
		return OptionalDouble.of((sorted[(size - 1) / 2] + sorted[size / 2]) / 2.0);
	}

}
