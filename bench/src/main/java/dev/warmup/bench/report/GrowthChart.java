package dev.warmup.bench.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * What more requests and instances take, each as a multiple of what the least of them
 * takes, against linear growth.
 */
final class GrowthChart implements Drawing {

	private static final Pattern CATALOG = Pattern.compile("catalog of (\\d+)");

	private static final Pattern INSTANCES = Pattern.compile("(\\d+) instances?");

	@Override
	public String scenario() {
		return "growth";
	}

	@Override
	public String file() {
		return "growth.svg";
	}

	@Override
	public String title() {
		return "Growth with the catalog and with the fleet";
	}

	@Override
	public Optional<Chart<?, ?>> draw(Summary summary) {
		List<Curve> curves = Stream
			.of(curve(summary, "run time, by requests", CATALOG, "run"),
					curve(summary, "gateway memory, by instances", INSTANCES, "gateway memory"),
					curve(summary, "gateway CPU, by instances", INSTANCES, "gateway cpu"))
			.filter((curve) -> curve.x().size() > 1)
			.toList();
		if (curves.isEmpty()) {
			return Optional.empty();
		}
		double[] x = curves.stream().flatMap((curve) -> curve.x().stream()).mapToDouble(Double::doubleValue).toArray();
		double end = Arrays.stream(x).max().orElseThrow();
		XYChart chart = Plots.chart(title(), "requests or instances, multiple of the least (logarithmic)",
				"time or memory, multiple (log.)");
		Plots.logarithmicX(chart, x);
		Plots.logarithmicY(chart,
				Stream.concat(Stream.of(1d, end), curves.stream().flatMap((curve) -> curve.y().stream()))
					.mapToDouble(Double::doubleValue)
					.toArray());
		curves.forEach((curve) -> Plots.line(chart, curve.name(), curve.x(), curve.y()));
		Plots.reference(chart, "linear", List.of(1d, end), List.of(1d, end));
		return Optional.of(chart);
	}

	/** Figures that are not above zero have no place on a logarithmic axis. */
	private Curve curve(Summary summary, String name, Pattern parts, String metric) {
		record Point(double size, double value) {
		}
		List<Point> points = summary.parts(scenario()).stream().flatMap((part) -> {
			Matcher matcher = parts.matcher(part);
			return matcher.matches() ? summary.figure(new Series(scenario(), part, "ours", metric))
				.map((figure) -> new Point(Double.parseDouble(matcher.group(1)), figure.median()))
				.stream() : Stream.empty();
		}).filter((point) -> point.value() > 0).sorted(Comparator.comparingDouble(Point::size)).toList();
		return new Curve(name, points.stream().map((point) -> point.size() / points.get(0).size()).toList(),
				points.stream().map((point) -> point.value() / points.get(0).value()).toList());
	}

	private record Curve(String name, List<Double> x, List<Double> y) {

	}

}
