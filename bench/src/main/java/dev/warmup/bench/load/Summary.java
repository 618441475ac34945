package dev.warmup.bench.load;

import java.time.Duration;
import java.util.Collection;

import org.HdrHistogram.Histogram;

/**
 * What a number of requests have in common. Latencies have three significant digits, and
 * include those of errors, which were not answered as expected; they are zero when there
 * is no request.
 */
public record Summary(long count, long errors, Duration p50, Duration p99, Duration slowest) {

	public static Summary of(Collection<Sample> samples) {
		Histogram histogram = new Histogram(3);
		samples.forEach((sample) -> histogram.recordValue(Math.max(0, sample.latency().toNanos())));
		return new Summary(samples.size(), samples.stream().filter((sample) -> !sample.expected()).count(),
				at(histogram, 50), at(histogram, 99), at(histogram, 100));
	}

	private static Duration at(Histogram histogram, double percent) {
		return Duration.ofNanos(histogram.getValueAtPercentile(percent));
	}

}
