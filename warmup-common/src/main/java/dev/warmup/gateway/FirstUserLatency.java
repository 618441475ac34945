package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;

/**
 * The latency of the first 100 user requests to an instance over a route after a run,
 * beside the run's baseline.
 *
 * @param instance the instance that answered
 * @param route the route's id
 * @param run the run
 * @param baseline the latency of the run
 * @param p50 the median of the 100, until the response was committed
 * @param p99 the 99th percentile of the same
 */
public record FirstUserLatency(Instance instance, String route, RunRecord run, Baseline baseline, Duration p50,
		Duration p99) {

	/** How many user requests of each route are measured. */
	public static final int REQUESTS = 100;

	/**
	 * How much longer users waited than the run predicted.
	 * @return the median by the median of the baseline
	 */
	public double ratio() {
		return Baseline.ratio(this.p50, this.baseline.p50());
	}

	/**
	 * The latency of warm-up over a route, which users' latency is compared with.
	 *
	 * @param p50 the median of the run's last 50 to 100 requests over the route, until
	 * the response was committed here; where none took the route, the steady median of
	 * the whole run
	 * @param p95 the 95th percentile of the same
	 * @param requests how many requests of the run took the route; zero where {@code p50}
	 * is that of the whole run
	 */
	public record Baseline(Duration p50, Duration p95, long requests) {

		/**
		 * How many times one latency is another.
		 * @param latency the latency
		 * @param baseline what it is compared with
		 * @return the ratio
		 */
		public static double ratio(Duration latency, Duration baseline) {
			return (double) latency.toNanos() / Math.max(1, baseline.toNanos());
		}

	}

}
