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
public record FirstUserLatency(Instance instance, String route, RunRecord run, BaselineLatency baseline, Duration p50,
		Duration p99) {

	/** How many user requests of each route are measured. */
	public static final int REQUESTS = 100;

	/**
	 * How much longer users waited than the run predicted.
	 * @return the median by the median of the baseline
	 */
	public double ratio() {
		return BaselineLatency.ratio(this.p50, this.baseline.p50());
	}

}
