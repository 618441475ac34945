package dev.warmup.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether the latency of one request is steady, by its last answers: whether it
 * has stopped falling, and whether they agree.
 * <p>
 * For the first the answers are cut into {@value #BATCHES} batches of equal size, and a
 * line is laid through the batches' medians whose slope is the median of the slopes of
 * all pairs of them. Latency has stopped falling when that line falls by no more than a
 * share of the medians' median from its first batch to its last. Rising latency is no
 * sign of a cold path.
 * <p>
 * The estimator is that of Theil ("A rank-invariant method of linear and polynomial
 * regression analysis", 1950) and Sen ("Estimates of the regression coefficient based on
 * Kendall's tau", Journal of the American Statistical Association 63, 1968): up to 29 %
 * of the medians may be off by any amount and leave it as it is, so that a pause of the
 * machine neither ends a run nor prolongs it. For the second, half of the answers must
 * lie within a share of their median around it (the median absolute deviation, which as
 * few outliers disturb as the median). Not thread-safe.
 */
final class LatencyTrend {

	static final int BATCHES = 10;

	private final RunSettings.SteadyCriteria criteria;

	private final int batches;

	private final double[] last;

	private long count;

	/**
	 * Starts with no answer. A window of more than {@value #BATCHES} answers is rounded
	 * down to a multiple of that; below it, each answer is a batch.
	 */
	LatencyTrend(RunSettings.SteadyCriteria criteria) {
		this.criteria = criteria;
		this.batches = Math.min(BATCHES, criteria.window());
		this.last = new double[criteria.window() - criteria.window() % this.batches];
	}

	/** Adds an answer. */
	void add(Duration latency) {
		this.last[(int) (this.count % this.last.length)] = latency.toNanos() / 1e6;
		this.count++;
	}

	/** {@code false} with fewer answers than the window has. */
	boolean isSteady() {
		return problem().isEmpty();
	}

	/**
	 * By how much latency still falls or varies, such as {@code varied by 40 % around 4.1
	 * ms}; empty when it is steady.
	 */
	Optional<String> problem() {
		if (this.count < this.last.length) {
			return Optional.of("had %d of the %d answers that are needed".formatted(this.count, this.last.length));
		}
		double[] medians = medians();
		double fall = fall(medians);
		if (fall > this.criteria.tolerance() * median(medians)) {
			return Optional.of(String.format(Locale.ROOT, "still fell by %.2f ms over its last %d answers, to %.2f ms",
					fall, this.last.length, medians[this.batches - 1]));
		}
		double spread = spread();
		return (spread <= this.criteria.maxSpread()) ? Optional.empty() : Optional
			.of(String.format(Locale.ROOT, "varied by %.0f %% around %.1f ms", spread * 100, median(this.last)));
	}

	/** Zero where the median is zero. */
	private double spread() {
		double middle = median(this.last);
		return (middle == 0) ? 0
				: median(Arrays.stream(this.last).map((latency) -> Math.abs(latency - middle)).toArray()) / middle;
	}

	private double[] medians() {
		int size = this.last.length / this.batches;
		int oldest = (int) (this.count % this.last.length);
		double[] medians = new double[this.batches];
		double[] batch = new double[size];
		for (int i = 0; i < this.batches; i++) {
			for (int j = 0; j < size; j++) {
				batch[j] = this.last[(oldest + i * size + j) % this.last.length];
			}
			medians[i] = median(batch);
		}
		return medians;
	}

	/** From the first to the last, in milliseconds. */
	private static double fall(double[] medians) {
		int n = medians.length;
		if (n == 1) {
			return 0;
		}
		double[] slopes = new double[n * (n - 1) / 2];
		int next = 0;
		for (int i = 0; i < n; i++) {
			for (int j = i + 1; j < n; j++) {
				slopes[next++] = (medians[j] - medians[i]) / (j - i);
			}
		}
		return -median(slopes) * (n - 1);
	}

	private static double median(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		int half = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
	}

}
