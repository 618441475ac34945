package dev.warmup.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.warmup.bench.variant.Variant;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
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

	private static final String SLOWEST = "slowest first request";

	private static final Color BACKGROUND = new Color(0xf6f8fa);

	void write() throws IOException {
		bars("first", "The first requests after a start", new Bars("slowest first request", "everything", SLOWEST),
				new Bars("p50 of the first 100", "everything", "p50"),
				new Bars("p99 of the first 100", "everything", "p99"));
		bars("burst", "50 users at once when ready", new Bars("p99 of the first 1 s", "1 s", "p99"),
				new Bars("p99 of the first 2 s", "2 s", "p99"), new Bars("p99 of the first 10 s", "10 s", "p99"));
		bars("join", "50 requests a second while a second instance joins", new Bars("p99 before", "", "p99 before"),
				new Bars("p99 while it joins", "", "p99"), new Bars("slowest while it joins", "", "slowest"));
		seconds();
	}

	private void seconds() throws IOException {
		XYChart chart = new XYChart(900, 460);
		chart.setTitle("An instance joins");
		chart.setXAxisTitle("seconds since it could answer");
		chart.setYAxisTitle("median latency, ms");
		chart.setYAxisGroupTitle(1, "share of users");
		for (String line : List.of("newcomer", "sibling", "share")) {
			List<Results.Figure> figures = this.results.figures()
				.stream()
				.filter((figure) -> figure.variant().equals(Variant.OURS.id()) && figure.part().startsWith(SECOND)
						&& figure.metric().equals(line))
				.toList();
			if (figures.isEmpty()) {
				return;
			}
			XYSeries series = chart.addSeries(line,
					figures.stream().map((figure) -> Double.valueOf(figure.part().substring(SECOND.length()))).toList(),
					figures.stream().map(Results.Figure::value).toList());
			series.setMarker(SeriesMarkers.NONE);
			series.setYAxisGroup(line.equals("share") ? 1 : 0);
		}
		chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
		chart.getStyler().setYAxisMin(1, 0.0);
		chart.getStyler().setYAxisMax(1, 1.05);
		chart.getStyler().setYAxisMin(0, 0.0);
		style(chart.getStyler());
		VectorGraphicsEncoder.saveVectorGraphic(chart, this.directory.resolve("join-seconds.svg").toString(),
				VectorGraphicsFormat.SVG);
	}

	private void bars(String scenario, String title, Bars... all) throws IOException {
		List<Variant> variants = this.results.variants(scenario);
		CategoryChart chart = new CategoryChart(900, 460);
		chart.setTitle(title);
		chart.setYAxisTitle("ms");
		DoubleSummaryStatistics positive = new DoubleSummaryStatistics();
		for (Bars bars : all) {
			List<Double> values = variants.stream().map((variant) -> value(scenario, bars, variant)).toList();
			if (values.stream().anyMatch((value) -> value > 0)) {
				chart.addSeries(bars.name(), variants.stream().map(Variant::title).toList(), values);
				values.stream().filter((value) -> value > 0).forEach(positive::accept);
			}
		}
		if (positive.getCount() > 0) {
			CategoryStyler styler = chart.getStyler();
			styler.setXAxisLabelRotation(25);
			styler.setAvailableSpaceFill(0.8);
			styler.setYAxisLogarithmic(true);
			styler.setYAxisDecimalPattern("#,##0.##");
			styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(positive.getMin() * 0.8))));
			styler.setYAxisMax(positive.getMax() * 1.4);
			style(styler);
			VectorGraphicsEncoder.saveVectorGraphic(chart, this.directory.resolve(scenario + ".svg").toString(),
					VectorGraphicsFormat.SVG);
		}
	}

	private double value(String scenario, Bars bars, Variant variant) {
		return bars.metric().equals(SLOWEST)
				? this.results.slowest(bars.part(), variant).map(Map.Entry::getValue).orElse(Double.NaN)
				: this.results.median(scenario, bars.part(), variant, bars.metric());
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

	/** The bars of one metric; {@link #SLOWEST} is the slowest of the first requests. */
	private record Bars(String name, String part, String metric) {

	}

}
