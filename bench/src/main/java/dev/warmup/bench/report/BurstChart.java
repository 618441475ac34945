package dev.warmup.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.internal.chartpart.Chart;

/** The first seconds of a burst by variant. */
enum BurstChart implements Drawing {

	/** The latency. */
	P99("p99", "burst-p99.svg", "50 users at once: p99 of the first seconds", "p99 latency, ms (logarithmic)", true),

	/** The throughput. */
	THROUGHPUT("throughput", "burst-throughput.svg", "50 users at once: throughput of the first seconds",
			"answers per second", false);

	private final String metric;

	private final String file;

	private final String title;

	private final String axis;

	private final boolean logarithmic;

	BurstChart(String metric, String file, String title, String axis, boolean logarithmic) {
		this.metric = metric;
		this.file = file;
		this.title = title;
		this.axis = axis;
		this.logarithmic = logarithmic;
	}

	@Override
	public String scenario() {
		return "burst";
	}

	@Override
	public String file() {
		return this.file;
	}

	@Override
	public String title() {
		return this.title;
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		List<String> variants = summary.variants(scenario(), "1 s");
		Map<String, List<Double>> series = new LinkedHashMap<>();
		summary.parts(scenario())
			.forEach((part) -> series.put("first " + part,
					variants.stream()
						.map((variant) -> summary.figure(new Series(scenario(), part, variant, this.metric))
							.map(Figure::median)
							.orElse(Double.NaN))
						.toList()));
		return new Bars(this.title, this.axis, this.logarithmic).draw(variants.stream().map(summary::title).toList(),
				series);
	}

}
