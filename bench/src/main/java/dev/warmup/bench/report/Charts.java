package dev.warmup.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import dev.warmup.bench.variant.Variant;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bar charts of medians, one group of bars per variant, on logarithmic axes. */
final class Charts {

	/** The scenarios that have a chart. */
	static final List<String> NAMES = List.of("first", "burst", "join");

	/** Distinguishable without seeing red and green. */
	private static final Color[] COLORS = { new Color(0x0969da), new Color(0xbc4c00), new Color(0x57606a) };

	private static final Color BACKGROUND = new Color(0xf6f8fa);

	private Charts() {
	}

	static void write(Results results, Path directory) throws IOException {
		Map<String, ToDoubleFunction<Variant>> first = new LinkedHashMap<>();
		first.put("slowest first request",
				(variant) -> Format.worst(results, "everything", variant.id())
					.map(Map.Entry::getValue)
					.orElse(Double.NaN));
		first.put("p50 of the first 100", median(results, "first", "everything", "p50"));
		first.put("p99 of the first 100", median(results, "first", "everything", "p99"));
		save("first", "The first requests after a start", results, first, directory);
		Map<String, ToDoubleFunction<Variant>> burst = new LinkedHashMap<>();
		for (String window : List.of("1 s", "2 s", "10 s")) {
			burst.put("p99 of the first " + window, median(results, "burst", window, "p99"));
		}
		save("burst", "50 users at once when ready", results, burst, directory);
		Map<String, ToDoubleFunction<Variant>> join = new LinkedHashMap<>();
		join.put("p99 before", median(results, "join", "", "p99 before"));
		join.put("p99 while it joins", median(results, "join", "", "p99"));
		join.put("slowest while it joins", median(results, "join", "", "slowest"));
		save("join", "50 requests a second while a second instance joins", results, join, directory);
	}

	private static ToDoubleFunction<Variant> median(Results results, String scenario, String part, String metric) {
		return (variant) -> results.median(scenario, part, variant.id(), metric).orElse(Double.NaN);
	}

	private static void save(String scenario, String title, Results results,
			Map<String, ToDoubleFunction<Variant>> series, Path directory) throws IOException {
		List<Variant> variants = Format.variants(results, scenario);
		CategoryChart chart = new CategoryChartBuilder().title(title).yAxisTitle("ms").width(900).height(460).build();
		List<Double> all = new ArrayList<>();
		series.forEach((name, value) -> {
			List<Double> values = variants.stream().map(value::applyAsDouble).toList();
			all.addAll(values.stream().filter((each) -> each > 0).toList());
			if (values.stream().anyMatch((each) -> each > 0)) {
				chart.addSeries(name, variants.stream().map(Variant::title).toList(), values);
			}
		});
		if (!all.isEmpty()) {
			style(chart.getStyler(), Collections.min(all), Collections.max(all));
			VectorGraphicsEncoder.saveVectorGraphic(chart, directory.resolve(scenario + ".svg").toString(),
					VectorGraphicsFormat.SVG);
		}
	}

	private static void style(CategoryStyler styler, double least, double most) {
		styler.setLocale(Locale.ROOT);
		styler.setSeriesColors(COLORS);
		styler.setChartBackgroundColor(BACKGROUND);
		styler.setPlotBackgroundColor(BACKGROUND);
		styler.setPlotBorderVisible(false);
		styler.setChartTitleBoxVisible(false);
		styler.setChartPadding(14);
		styler.setXAxisLabelRotation(25);
		styler.setPlotGridVerticalLinesVisible(false);
		styler.setLegendPosition(LegendPosition.OutsideS);
		styler.setLegendLayout(LegendLayout.Horizontal);
		styler.setLegendBackgroundColor(BACKGROUND);
		styler.setLegendBorderColor(BACKGROUND);
		styler.setAvailableSpaceFill(0.8);
		styler.setYAxisLogarithmic(true);
		styler.setYAxisDecimalPattern("#,##0.##");
		styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(least * 0.8))));
		styler.setYAxisMax(most * 1.4);
	}

}
