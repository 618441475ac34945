package dev.warmup.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

import dev.warmup.bench.result.Count;
import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;

/** What the first hundred users meet by how much CPU was spent before they came. */
final class CurveChart implements Drawing {

	@Override
	public String scenario() {
		return Count.SCENARIO;
	}

	@Override
	public String file() {
		return "curve.svg";
	}

	@Override
	public String title() {
		return "The first 100 users after fixed counts of passes, and after ours";
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		List<Count> counts = Count.all(summary)
			.stream()
			.filter((count) -> count.cost().cpu().filter((cpu) -> cpu.median() > 0).isPresent())
			.sorted(Comparator.comparingDouble(CurveChart::cpu))
			.toList();
		if (counts.isEmpty()) {
			return Optional.empty();
		}
		XYChart chart = Plots.chart(title(), "CPU from start to ready, s (logarithmic)",
				"x steady state (logarithmic)");
		Plots.logarithmicX(chart, counts.stream().mapToDouble(CurveChart::cpu).toArray());
		Plots.logarithmicY(chart,
				counts.stream()
					.flatMapToDouble((count) -> DoubleStream.of(count.p50().median(), count.p99().median()))
					.toArray());
		draw(chart, "p50", counts, (count) -> count.p50().median());
		draw(chart, "p99", counts, (count) -> count.p99().median());
		return Optional.of(chart);
	}

	private static void draw(XYChart chart, String metric, List<Count> counts, ToDoubleFunction<Count> multiple) {
		List<Count> fixed = counts.stream().filter((count) -> !count.isOurs()).toList();
		if (!fixed.isEmpty()) {
			Plots.line(chart, "fixed counts, " + metric, fixed.stream().map(CurveChart::cpu).toList(),
					fixed.stream().map(multiple::applyAsDouble).toList());
		}
		counts.stream()
			.filter(Count::isOurs)
			.forEach((ours) -> Plots.dots(chart, ours.title() + ", " + metric, List.of(cpu(ours)),
					List.of(multiple.applyAsDouble(ours))));
		counts.forEach((count) -> Plots.label(chart, count.title(), cpu(count), multiple.applyAsDouble(count)));
	}

	private static double cpu(Count count) {
		return count.cost().cpu().map(Figure::median).orElseThrow();
	}

}
