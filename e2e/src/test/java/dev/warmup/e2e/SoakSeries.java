package dev.warmup.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One figure of one process over the time of a soak. It grows when, after the first tenth
 * of the time, a straight line through its samples rises by more than three standard
 * errors of its slope, and from that tenth to the end by more than 5 % of their mean and
 * by more than its noise.
 */
final class SoakSeries {

	private static final double ERRORS = 3;

	private static final double SHARE = 0.05;

	private static final int FEWEST = 8;

	private final List<Double> minutes = new ArrayList<>();

	private final List<Double> values = new ArrayList<>();

	private final double noise;

	/**
	 * A new instance.
	 * @param noise what the figure may rise by in the whole time
	 */
	SoakSeries(double noise) {
		this.noise = noise;
	}

	void add(double minute, double value) {
		this.minutes.add(minute);
		this.values.add(value);
	}

	List<Double> minutes() {
		return this.minutes;
	}

	List<Double> values() {
		return this.values;
	}

	/** Whether it grows, as this class describes; false with too few samples. */
	boolean grows() {
		Line line = line();
		return line.samples >= FEWEST && line.slope > ERRORS * line.error
				&& line.slope * line.time > Math.max(this.noise, SHARE * line.mean);
	}

	/** Mean, rise over the time and its standard error. */
	String describe() {
		Line line = line();
		return String.format(Locale.ROOT, "%.1f | %+.1f ± %.1f", line.mean, line.slope * line.time,
				line.error * line.time);
	}

	/** The least-squares line, see Draper and Smith, Applied Regression Analysis, 1.4. */
	private Line line() {
		int from = this.minutes.size() / 10;
		List<Double> x = this.minutes.subList(from, this.minutes.size());
		List<Double> y = this.values.subList(from, this.values.size());
		int n = x.size();
		double meanX = mean(x);
		double meanY = mean(y);
		double xx = 0;
		double xy = 0;
		for (int i = 0; i < n; i++) {
			xx += (x.get(i) - meanX) * (x.get(i) - meanX);
			xy += (x.get(i) - meanX) * (y.get(i) - meanY);
		}
		double slope = (xx > 0) ? xy / xx : 0;
		double residuals = 0;
		for (int i = 0; i < n; i++) {
			double residual = y.get(i) - meanY - slope * (x.get(i) - meanX);
			residuals += residual * residual;
		}
		double error = (n > 2 && xx > 0) ? Math.sqrt(residuals / (n - 2) / xx) : 0;
		return new Line(n, meanY, slope, error, (n > 0) ? x.get(n - 1) - x.get(0) : 0);
	}

	private static double mean(List<Double> values) {
		return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
	}

	private record Line(int samples, double mean, double slope, double error, double time) {
	}

}
