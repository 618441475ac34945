package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two windows side by side, one with the library and one without.
 *
 * @param on with it
 * @param off without it
 */
record Pair(Window on, Window off) {

	/**
	 * Measures pairs, of which each second one begins with the other side: what drifts
	 * then weighs on both alike.
	 * @param number how many
	 * @param on measures a window with the library
	 * @param off measures a window without it
	 * @return the pairs in their order
	 */
	static List<Pair> measure(int number, Supplier<Window> on, Supplier<Window> off) {
		List<Pair> pairs = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			if (i % 2 == 0) {
				Window first = on.get();
				pairs.add(new Pair(first, off.get()));
			}
			else {
				Window first = off.get();
				pairs.add(new Pair(on.get(), first));
			}
		}
		return List.copyOf(pairs);
	}

	/**
	 * What the library does to the throughput.
	 * @return on by off: less than 1 when it costs something
	 */
	double throughput() {
		return this.on.throughput() / this.off.throughput();
	}

	/**
	 * What the library does to the median latency.
	 * @return on by off: more than 1 when it costs something
	 */
	double latency() {
		return (double) this.on.median().toNanos() / this.off.median().toNanos();
	}

	/**
	 * What the library does to the processor time that a request takes.
	 * @return on by off: more than 1 when it costs something; empty when it is not known
	 */
	Optional<Double> cpu() {
		return this.on.cpu()
			.flatMap((with) -> this.off.cpu().map((without) -> (double) with.toNanos() / without.toNanos()));
	}

	/**
	 * What users saw in a time.
	 *
	 * @param throughput answers a second
	 * @param median the median latency
	 * @param cpu the processor time that service and gateway took for an answer; empty
	 * when it is not known, or nothing was answered
	 */
	record Window(double throughput, Duration median, Optional<Duration> cpu) {

	}

}
