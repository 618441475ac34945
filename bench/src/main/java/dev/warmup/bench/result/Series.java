package dev.warmup.bench.result;

/**
 * What samples have in common that differ only by their round.
 *
 * @param scenario the scenario
 * @param part what the scenario did; empty when it does one thing
 * @param variant the id of the variant
 * @param metric what was measured
 */
public record Series(String scenario, String part, String variant, String metric) {

	static Series of(Sample sample) {
		return new Series(sample.scenario(), sample.part(), sample.variant(), sample.metric());
	}

	/**
	 * The same measurement of another variant.
	 * @param other the id of that variant
	 * @return its series
	 */
	public Series of(String other) {
		return new Series(this.scenario, this.part, other, this.metric);
	}

}
