package dev.warmup.bench.load;

import java.time.Duration;
import java.util.List;

/**
 * What a batch of requests to a stub came to: the time that the client itself takes.
 *
 * @param p50 the latency that half of them did not exceed
 * @param p99 the latency that 99 in 100 did not exceed
 */
record Batch(Duration p50, Duration p99) {

	static Batch of(Experience experience) {
		return new Batch(experience.percentile(50), experience.percentile(99));
	}

	static Batch of(List<SteadyClient.Sample> samples) {
		return new Batch(SteadyClient.Sample.percentile(samples, 50), SteadyClient.Sample.percentile(samples, 99));
	}

}
