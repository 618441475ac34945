package dev.warmup.gateway;

import java.time.Duration;

/**
 * The latency of warm-up over a route, which users' latency is compared with.
 *
 * @param p50 the median of the run's last 50 to 100 requests over the route, until the
 * response was committed here; where none took the route, the steady median of the whole
 * run
 * @param p95 the 95th percentile of the same
 * @param requests how many requests of the run took the route; zero where {@code p50} is
 * that of the whole run
 */
public record BaselineLatency(Duration p50, Duration p95, long requests) {

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
