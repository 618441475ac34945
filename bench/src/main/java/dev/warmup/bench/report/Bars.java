package dev.warmup.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.CategoryStyler;

/**
 * Bars side by side, a group a variant.
 *
 * @param title what is shown
 * @param axis what the bars are, with the unit
 * @param logarithmic whether each line is ten times the one below
 */
record Bars(String title, String axis, boolean logarithmic) {

	/**
	 * Draws them.
	 * @param groups the names of the groups
	 * @param series for each kind of bar one value a group, NaN where there is none
	 * @return the chart; empty when there is no value
	 */
	Optional<Chart<?, ?>> draw(List<String> groups, Map<String, List<Double>> series) {
		double[] all = series.values()
			.stream()
			.flatMap(List::stream)
			.mapToDouble(Double::doubleValue)
			.filter((value) -> Double.isFinite(value) && (value > 0 || !this.logarithmic))
			.toArray();
		if (all.length == 0) {
			return Optional.empty();
		}
		CategoryChart chart = new CategoryChartBuilder().title(this.title)
			.yAxisTitle(this.axis)
			.width(Look.WIDTH)
			.height(Look.HEIGHT)
			.build();
		CategoryStyler styler = Look.apply(chart.getStyler());
		styler.setPlotGridVerticalLinesVisible(false);
		styler.setAvailableSpaceFill(0.8);
		styler.setXAxisLabelRotation((groups.size() > 5) ? 25 : 0);
		styler.setYAxisDecimalPattern(Look.PATTERN);
		styler.setYAxisLogarithmic(this.logarithmic);
		scale(styler, all);
		series.forEach((name, values) -> chart.addSeries(name, groups, values));
		return Optional.of(chart);
	}

	/** On a logarithmic axis even the least bar must begin below its end to be seen. */
	private void scale(CategoryStyler styler, double[] all) {
		double max = Arrays.stream(all).max().orElseThrow();
		double min = Arrays.stream(all).min().orElseThrow();
		styler.setYAxisMin(this.logarithmic ? Math.pow(10, Math.floor(Math.log10(min * 0.8))) : 0);
		styler.setYAxisMax((max == 0) ? 1 : this.logarithmic ? max * 1.4 : max * 1.1);
	}

}
