package dev.warmup.bench.report;

import java.util.List;
import java.util.Optional;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Kinds;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * What a warm-up takes against what it brings: the lower left is where one wants to be.
 */
final class CostChart implements Drawing {

	@Override
	public String scenario() {
		return "first";
	}

	@Override
	public String file() {
		return "cost.svg";
	}

	@Override
	public String title() {
		return "What a warm-up takes, and what it brings";
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		Kinds kinds = new Kinds(summary, scenario(), "everything");
		List<Point> points = summary.variants(scenario(), "warm-up")
			.stream()
			.filter((variant) -> !variant.equals(Summary.STEADY))
			.flatMap((variant) -> summary.figure(new Series(scenario(), "warm-up", variant, "cpu"))
				.map(Figure::median)
				.flatMap((cpu) -> kinds.worst(variant)
					.map((worst) -> new Point(summary.title(variant), cpu, worst.getValue())))
				.stream())
			.filter((point) -> point.ratio() > 0)
			.toList();
		if (points.isEmpty()) {
			return Optional.empty();
		}
		XYChart chart = Plots.chart(title(), "CPU from start to ready, s",
				"worst first request, x steady (logarithmic)");
		chart.getStyler().setXAxisMin(0d);
		chart.getStyler().setXAxisMax(points.stream().mapToDouble(Point::cpu).max().orElseThrow() * 1.1);
		Plots.logarithmicY(chart, points.stream().mapToDouble(Point::ratio).toArray());
		points.forEach((point) -> Plots.dots(chart, point.title(), List.of(point.cpu()), List.of(point.ratio())));
		return Optional.of(chart);
	}

	private record Point(String title, double cpu, double ratio) {

	}

}
