package dev.warmup.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.internal.chartpart.Chart;

/** Latency before and around the join of an instance. */
final class JoinChart implements Drawing {

	@Override
	public String scenario() {
		return "join";
	}

	@Override
	public String file() {
		return "join.svg";
	}

	@Override
	public String title() {
		return "50 requests a second while an instance joins";
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		String part = summary.parts(scenario()).stream().findFirst().orElse("");
		List<String> variants = summary.variants(scenario(), part);
		Map<String, List<Double>> series = new LinkedHashMap<>();
		for (String metric : List.of("p99 before", "p99 around", "max around")) {
			series.put(metric,
					variants.stream()
						.map((variant) -> summary.figure(new Series(scenario(), part, variant, metric))
							.map(Figure::median)
							.orElse(Double.NaN))
						.toList());
		}
		return new Bars(title(), "latency, ms", false).draw(variants.stream().map(summary::title).toList(), series);
	}

}
