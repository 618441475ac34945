package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.protocol.RunRecord;

/**
 * The latency of the answers over a run's time: a median for each second, so that the
 * run's deadline bounds its size. Not thread-safe.
 */
final class LatencyCurve {

	private static final int MOST_POINTS = 60;

	/** Of the seconds that are over, in nanoseconds; 0 for one without an answer. */
	private final List<Long> medians = new ArrayList<>();

	/** The latencies of the second that is not over, in nanoseconds. */
	private final List<Long> last = new ArrayList<>();

	/** Adds an answer to a request that was sent so long after the first one. */
	void add(Duration sent, Duration latency) {
		while (this.medians.size() < sent.toSeconds()) {
			this.medians.add(median(this.last));
			this.last.clear();
		}
		this.last.add(latency.toNanos());
	}

	/** The curve of the seconds that are over, or of several at a time in a long run. */
	RunRecord.Curve record(Optional<Duration> opened) {
		List<Long> all = this.medians.isEmpty() ? List.of(median(this.last)) : this.medians;
		int step = (all.size() + MOST_POINTS - 1) / MOST_POINTS;
		List<Double> points = IntStream.iterate(0, (from) -> from < all.size(), (from) -> from + step)
			.mapToLong((from) -> median(all.subList(from, Math.min(from + step, all.size()))))
			.mapToObj((nanos) -> Math.round(nanos / 1e5) / 10.0)
			.toList();
		return new RunRecord.Curve(Duration.ofSeconds(step), points, opened);
	}

	private static long median(List<Long> latencies) {
		return Steadiness.percentile(latencies.stream().mapToLong(Long::longValue).filter((latency) -> latency > 0), 50)
			.map(Duration::toNanos)
			.orElse(0L);
	}

}
