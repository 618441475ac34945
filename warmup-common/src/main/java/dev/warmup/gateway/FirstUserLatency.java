package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;

/**
 * What the first 100 users of an instance over a route met after a run, beside what the
 * run had promised.
 *
 * @param instance who answered
 * @param route the route's id
 * @param run the run
 * @param steady what the run found steady
 * @param p50 the median of the 100, until the answer began
 * @param p99 the 99th percentile of the same
 */
public record FirstUserLatency(Instance instance, String route, RunRecord run, BaselineLatency steady, Duration p50,
		Duration p99) {

	/**
	 * How much longer users waited than the run had promised.
	 * @return the median by the steady median
	 */
	public double ratio() {
		return BaselineLatency.ratio(this.p50, this.steady.p50());
	}

}
