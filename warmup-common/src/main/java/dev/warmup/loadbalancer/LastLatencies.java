package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** The last 50 latencies over each of at most 20 routes. Not thread-safe. */
final class LastLatencies {

	private static final int MAX_ROUTES = 20;

	/**
	 * Of fewer, the median scatters so much that a slow instance passes for a fast one;
	 * of more, it lags behind an instance that becomes faster with each.
	 */
	private static final int KEPT = 50;

	private static final int MIN_FOR_MEDIAN = 5;

	private final Map<String, Window> routes = new TreeMap<>();

	/** Adds one; returns whether there is room for its route. */
	boolean add(String route, Duration latency) {
		if (this.routes.size() == MAX_ROUTES && !this.routes.containsKey(route)) {
			return false;
		}
		this.routes.computeIfAbsent(route, (key) -> new Window()).add(latency.toNanos());
		return true;
	}

	Set<String> routes() {
		return this.routes.keySet();
	}

	/** How many of a route are kept now. */
	int size(String route) {
		Window window = this.routes.get(route);
		return (window != null) ? window.size() : 0;
	}

	/** Their median, in nanoseconds; empty where there are fewer than five. */
	OptionalDouble median(String route) {
		Window window = this.routes.get(route);
		return (window != null && window.size() >= MIN_FOR_MEDIAN) ? OptionalDouble.of(window.median())
				: OptionalDouble.empty();
	}

	private static final class Window {

		private final long[] nanos = new long[KEPT];

		private long count;

		void add(long latency) {
			this.nanos[(int) (this.count++ % KEPT)] = latency;
		}

		int size() {
			return (int) Math.min(this.count, KEPT);
		}

		double median() {
			long[] sorted = Arrays.copyOf(this.nanos, size());
			Arrays.sort(sorted);
			return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
		}

	}

}
