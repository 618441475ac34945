package dev.warmup.protocol;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;

/** A histogram of latencies, in microseconds, to two digits. Not thread-safe. */
public final class Latencies {

	private final Histogram histogram = new Histogram(2);

	public void add(Duration latency) {
		this.histogram.recordValue(TimeUnit.NANOSECONDS.toMicros(latency.toNanos()));
	}

	public void add(Latencies other) {
		this.histogram.add(other.histogram);
	}

	public long count() {
		return this.histogram.getTotalCount();
	}

	/** How many times one latency is another. */
	public static double ratio(Duration latency, Duration baseline) {
		return (double) latency.toNanos() / Math.max(1, baseline.toNanos());
	}

	/**
	 * The latency that so many percent, from 0 to 100, do not exceed, to within 1 %;
	 * empty when none was added.
	 */
	public Optional<Duration> percentile(double percentile) {
		return (count() == 0) ? Optional.empty()
				: Optional.of(Duration.of(this.histogram.getValueAtPercentile(percentile), ChronoUnit.MICROS));
	}

	/** The last 50 to 100 latencies, or all where there are fewer. Not thread-safe. */
	public static final class Recent {

		private static final int BATCH = 50;

		private Latencies previous = new Latencies();

		private Latencies current = new Latencies();

		public void add(Duration latency) {
			this.current.add(latency);
			if (this.current.count() == BATCH) {
				this.previous = this.current;
				this.current = new Latencies();
			}
		}

		/** A copy of them. */
		public Latencies get() {
			Latencies recent = new Latencies();
			recent.add(this.previous);
			recent.add(this.current);
			return recent;
		}

	}

}
