package dev.warmup.bench.report;

import java.awt.Color;
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
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** What the first hundred users meet by how much CPU was spent before they came. */
final class CurveChart implements Drawing {

	private static final Color FIXED = Look.COLOURS.get(0);

	private static final Color OURS = Look.COLOURS.get(1);

	/** How far a label is from its point, on a logarithmic axis. */
	private static final double APART = 1.2;

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
		Plots.decades(chart, counts.stream().mapToDouble(CurveChart::cpu).toArray(),
				counts.stream().flatMapToDouble(CurveChart::multiples).toArray());
		draw(chart, "p50", SeriesMarkers.CIRCLE, counts, (count) -> count.p50().median());
		draw(chart, "p99", SeriesMarkers.SQUARE, counts, (count) -> count.p99().median());
		counts.forEach((count) -> label(chart, count));
		return Optional.of(chart);
	}

	private static void draw(XYChart chart, String metric, Marker marker, List<Count> counts,
			ToDoubleFunction<Count> multiple) {
		List<Count> fixed = counts.stream().filter((count) -> !count.isOurs()).toList();
		if (!fixed.isEmpty()) {
			Plots.styled(Plots.line(chart, "fixed counts, " + metric, fixed.stream().map(CurveChart::cpu).toList(),
					fixed.stream().map(multiple::applyAsDouble).toList()), FIXED, marker);
		}
		counts.stream()
			.filter(Count::isOurs)
			.forEach((ours) -> Plots.styled(Plots.dots(chart, ours.title() + ", " + metric, List.of(cpu(ours)),
					List.of(multiple.applyAsDouble(ours))), OURS, marker));
	}

	/** On both sides of a line that falls: a fixed count may be near ours. */
	private static void label(XYChart chart, Count count) {
		if (count.isOurs()) {
			Plots.label(chart, count.title(), cpu(count) / APART, multiples(count).min().orElseThrow() / APART);
		}
		else {
			Plots.label(chart, count.title(), cpu(count) * APART, multiples(count).max().orElseThrow() * APART);
		}
	}

	private static DoubleStream multiples(Count count) {
		return DoubleStream.of(count.p50().median(), count.p99().median());
	}

	private static double cpu(Count count) {
		return count.cost().cpu().map(Figure::median).orElseThrow();
	}

}
