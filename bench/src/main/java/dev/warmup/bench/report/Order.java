package dev.warmup.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Series;

/**
 * The order of a run's series: scenarios, parts of a scenario and metrics of a part as
 * first measured, then variants as in the tables. What was read from a file is in this
 * order, and keeps it.
 */
final class Order {

	private Order() {
	}

	static Map<Series, List<Sample>> of(Results results) {
		Map<String, Map<String, Map<String, Map<String, List<Sample>>>>> tree = results.samples()
			.stream()
			.collect(Collectors.groupingBy(Sample::scenario, LinkedHashMap::new,
					Collectors.groupingBy(Sample::part, LinkedHashMap::new, Collectors.groupingBy(Sample::metric,
							LinkedHashMap::new, Collectors.groupingBy(Sample::variant)))));
		List<String> variants = Stream
			.concat(results.variants().keySet().stream(), results.samples().stream().map(Sample::variant).sorted())
			.distinct()
			.toList();
		Map<Series, List<Sample>> ordered = new LinkedHashMap<>();
		tree.forEach((scenario,
				parts) -> parts.forEach((part,
						metrics) -> metrics.forEach((metric, samples) -> variants.stream()
							.filter(samples::containsKey)
							.forEach((variant) -> ordered.put(new Series(scenario, part, variant, metric),
									samples.getOrDefault(variant, List.of()))))));
		return ordered;
	}

}
