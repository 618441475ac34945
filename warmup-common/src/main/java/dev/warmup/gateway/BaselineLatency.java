package dev.warmup.gateway;

import java.time.Duration;

/**
 * What users' requests over a route are compared with.
 *
 * @param p50 the median of the run's last 50 to 100 requests over the route, until the
 * answer began here; where none took it, the steady median of the whole run
 * @param p95 the 95th percentile of the same
 * @param requests how many requests of the run took the route; zero where {@code p50} is
 * that of the whole run
 */
public record BaselineLatency(Duration p50, Duration p95, long requests) {

	public static double ratio(Duration latency, Duration steady) {
		return (double) latency.toNanos() / Math.max(1, steady.toNanos());
	}

}
