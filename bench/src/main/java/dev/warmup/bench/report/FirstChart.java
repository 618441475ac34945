package dev.warmup.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Kinds;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.internal.chartpart.Chart;

/** The first user request by variant: the slowest kind, and a kind in the middle. */
final class FirstChart implements Drawing {

	@Override
	public String scenario() {
		return "first";
	}

	@Override
	public String file() {
		return "first.svg";
	}

	@Override
	public String title() {
		return "First user request after everything was started";
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		Kinds kinds = new Kinds(summary, scenario(), "everything");
		List<String> variants = summary.variants(scenario(), kinds.part());
		Map<String, List<Double>> series = new LinkedHashMap<>();
		series.put("slowest kind of request",
				variants.stream()
					.map((variant) -> kinds.slowest(variant).map(Figure::median).orElse(Double.NaN))
					.toList());
		series.put("median of all kinds",
				variants.stream().map((variant) -> kinds.typical(variant).orElse(Double.NaN)).toList());
		return new Bars(title(), "latency, ms (logarithmic)", true).draw(variants.stream().map(summary::title).toList(),
				series);
	}

}
