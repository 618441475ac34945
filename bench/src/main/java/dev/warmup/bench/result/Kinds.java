package dev.warmup.bench.result;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The first user request of each kind, in one part of a scenario.
 *
 * @param summary the figures
 * @param scenario the scenario
 * @param part the part
 */
public record Kinds(Summary summary, String scenario, String part) {

	/** How many were not answered as expected, which is no latency. */
	private static final String ERRORS = "errors";

	/** Ends the names of metrics that are about all kinds together. */
	private static final String OF_ALL = " of 100";

	/**
	 * The kinds of requests.
	 * @return their names in the catalog
	 */
	public List<String> all() {
		return this.summary.metrics(this.scenario, this.part)
			.stream()
			.filter((metric) -> !metric.endsWith(OF_ALL) && !metric.equals(ERRORS))
			.toList();
	}

	/**
	 * Where a kind's figure is.
	 * @param variant the variant
	 * @param kind the kind, or another metric of this part
	 * @return its series
	 */
	public Series series(String variant, String kind) {
		return new Series(this.scenario, this.part, variant, kind);
	}

	/**
	 * The multiples of the steady state.
	 * @param variant the variant
	 * @return multiples by kind, without those that were not measured
	 */
	public Map<String, Double> ratios(String variant) {
		Map<String, Double> ratios = new LinkedHashMap<>();
		all().forEach((kind) -> this.summary.againstSteady(series(variant, kind))
			.ifPresent((ratio) -> ratios.put(kind, ratio)));
		return ratios;
	}

	/**
	 * The kind that is furthest from the steady state.
	 * @param variant the variant
	 * @return the kind and its multiple; empty when none was measured
	 */
	public Optional<Map.Entry<String, Double>> worst(String variant) {
		return ratios(variant).entrySet().stream().max(Map.Entry.comparingByValue());
	}

	/**
	 * The kind that takes longest.
	 * @param variant the variant
	 * @return its figure; empty when none was measured
	 */
	public Optional<Figure> slowest(String variant) {
		return medians(variant).stream().max(Comparator.comparingDouble(Figure::median));
	}

	/**
	 * How long a kind takes that is neither fast nor slow.
	 * @param variant the variant
	 * @return the median of the kinds' medians; empty when none was measured
	 */
	public Optional<Double> typical(String variant) {
		List<Double> medians = medians(variant).stream().map(Figure::median).toList();
		return medians.isEmpty() ? Optional.empty() : Optional.of(Figure.of(Unit.MILLIS, medians).median());
	}

	private List<Figure> medians(String variant) {
		return all().stream().flatMap((kind) -> this.summary.figure(series(variant, kind)).stream()).toList();
	}

}
