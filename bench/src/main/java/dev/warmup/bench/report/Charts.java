package dev.warmup.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.warmup.bench.variant.Variant;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Bar charts of medians, one group of bars per variant, on logarithmic axes; and lines of
 * one join.
 */
public record Charts(Results results, Path directory) {

	/** Begins the name of a part that has the figures of one second of a join. */
	public static final String SECOND = "second ";

	private static final Color BACKGROUND = new Color(0xf6f8fa);

	void write() throws IOException {
		save("first", "The first requests after a start", new Series("slowest first request", "everything", ""),
				new Series("p50 of the first 100", "everything", "p50"),
				new Series("p99 of the first 100", "everything", "p99"));
		save("burst", "50 users at once when ready", new Series("p99 of the first 1 s", "1 s", "p99"),
				new Series("p99 of the first 2 s", "2 s", "p99"), new Series("p99 of the first 10 s", "10 s", "p99"));
		save("join", "50 requests a second while a second instance joins", new Series("p99 before", "", "p99 before"),
				new Series("p99 while it joins", "", "p99"), new Series("slowest while it joins", "", "slowest"));
		saveSeconds();
	}

	private void saveSeconds() throws IOException {
		XYChart chart = new XYChartBuilder().title("An instance joins")
			.xAxisTitle("seconds since it could answer")
			.yAxisTitle("median latency, ms")
			.width(900)
			.height(460)
			.build();
		for (String line : List.of("newcomer", "sibling", "share")) {
			Map<Double, Double> points = new TreeMap<>();
			this.results.figures()
				.stream()
				.filter((figure) -> figure.variant().equals(Variant.OURS.id()) && figure.part().startsWith(SECOND)
						&& figure.metric().equals(line))
				.forEach((figure) -> points.put(Double.valueOf(figure.part().substring(SECOND.length())),
						figure.value()));
			if (points.isEmpty()) {
				return;
			}
			XYSeries series = chart.addSeries(line, new ArrayList<>(points.keySet()), new ArrayList<>(points.values()));
			series.setMarker(SeriesMarkers.NONE);
			series.setYAxisGroup(line.equals("share") ? 1 : 0);
		}
		chart.setYAxisGroupTitle(1, "share of users");
		style(chart.getStyler());
		chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
		chart.getStyler().setYAxisMin(1, 0.0);
		chart.getStyler().setYAxisMax(1, 1.05);
		chart.getStyler().setYAxisMin(0, 0.0);
		VectorGraphicsEncoder.saveVectorGraphic(chart, this.directory.resolve("join-seconds.svg").toString(),
				VectorGraphicsFormat.SVG);
	}

	private void save(String scenario, String title, Series... all) throws IOException {
		List<Variant> variants = this.results.variants(scenario);
		CategoryChart chart = new CategoryChartBuilder().title(title).yAxisTitle("ms").width(900).height(460).build();
		List<Double> positive = new ArrayList<>();
		for (Series series : all) {
			List<Double> values = variants.stream()
				.map((variant) -> value(scenario, series.part(), variant.id(), series.metric()))
				.toList();
			if (values.stream().anyMatch((value) -> value > 0)) {
				chart.addSeries(series.name(), variants.stream().map(Variant::title).toList(), values);
				values.stream().filter((value) -> value > 0).forEach(positive::add);
			}
		}
		if (!positive.isEmpty()) {
			style(chart.getStyler(), Collections.min(positive), Collections.max(positive));
			VectorGraphicsEncoder.saveVectorGraphic(chart, this.directory.resolve(scenario + ".svg").toString(),
					VectorGraphicsFormat.SVG);
		}
	}

	private double value(String scenario, String part, String variant, String metric) {
		return !metric.isEmpty() ? this.results.median(scenario, part, variant, metric)
				: this.results.firsts(part, variant).values().stream().max(Double::compare).orElse(Double.NaN);
	}

	private static void style(AxesChartStyler styler) {
		styler.setLocale(Locale.ROOT);
		// distinguishable without seeing red and green
		styler.setSeriesColors(new Color[] { new Color(0x0969da), new Color(0xbc4c00), new Color(0x57606a) });
		styler.setChartBackgroundColor(BACKGROUND);
		styler.setPlotBackgroundColor(BACKGROUND);
		styler.setPlotBorderVisible(false);
		styler.setChartTitleBoxVisible(false);
		styler.setChartPadding(14);
		styler.setPlotGridVerticalLinesVisible(false);
		styler.setLegendPosition(LegendPosition.OutsideS);
		styler.setLegendLayout(LegendLayout.Horizontal);
		styler.setLegendBackgroundColor(BACKGROUND);
		styler.setLegendBorderColor(BACKGROUND);
	}

	private static void style(CategoryStyler styler, double least, double most) {
		style(styler);
		styler.setXAxisLabelRotation(25);
		styler.setAvailableSpaceFill(0.8);
		styler.setYAxisLogarithmic(true);
		styler.setYAxisDecimalPattern("#,##0.##");
		styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(least * 0.8))));
		styler.setYAxisMax(most * 1.4);
	}

	private record Series(String name, String part, String metric) {

	}

}
