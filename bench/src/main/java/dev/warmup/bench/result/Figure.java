package dev.warmup.bench.result;

import java.util.List;

/**
 * What the rounds of one series come to.
 *
 * @param unit the unit of what follows
 * @param n how many samples there are, at least one
 * @param median the middle one, or the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 */
public record Figure(Unit unit, int n, double median, double min, double max) {

	/**
	 * Sums up samples.
	 * @param unit their unit
	 * @param values the samples, in any order
	 * @return their median and range
	 * @throws IllegalArgumentException when there is none
	 */
	public static Figure of(Unit unit, List<Double> values) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("there is no sample");
		}
		List<Double> sorted = values.stream().sorted().toList();
		int n = sorted.size();
		double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
		return new Figure(unit, n, median, sorted.get(0), sorted.get(n - 1));
	}

	/**
	 * Whether the samples of both lie among each other, so that their medians may differ
	 * by chance.
	 * @param other another figure
	 * @return {@code true} when the ranges touch
	 */
	public boolean overlaps(Figure other) {
		return this.min <= other.max && other.min <= this.max;
	}

	/**
	 * As multiples of something else.
	 * @param base what it is held against, not zero
	 * @return the multiples, as many as there are samples
	 */
	public Figure over(double base) {
		return new Figure(Unit.RATIO, this.n, this.median / base, this.min / base, this.max / base);
	}

	/**
	 * Writes it for people.
	 * @return such as {@code 12.3 ms [10.1–15.0]}; without the range when its ends are
	 * written alike
	 */
	public String text() {
		String median = Numbers.of(this.median, this.unit);
		String from = Numbers.bare(this.min, this.unit);
		String to = Numbers.bare(this.max, this.unit);
		return from.equals(to) ? median : "%s [%s–%s]".formatted(median, from, to);
	}

}
