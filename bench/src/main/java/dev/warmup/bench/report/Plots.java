package dev.warmup.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;

import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Points and lines over two axes of numbers. */
final class Plots {

	private Plots() {
	}

	static XYChart chart(String title, String xAxis, String yAxis) {
		XYChart chart = new XYChartBuilder().title(title)
			.xAxisTitle(xAxis)
			.yAxisTitle(yAxis)
			.width(Look.WIDTH)
			.height(Look.HEIGHT)
			.build();
		Look.apply(chart.getStyler()).setMarkerSize(11);
		chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
		chart.getStyler().setLegendLayout(LegendLayout.Vertical);
		chart.getStyler().setXAxisDecimalPattern(Look.PATTERN);
		chart.getStyler().setYAxisDecimalPattern(Look.PATTERN);
		return chart;
	}

	static void logarithmicX(XYChart chart, double[] values) {
		chart.getStyler().setXAxisLogarithmic(true);
		chart.getStyler().setXAxisMin(below(values));
		chart.getStyler().setXAxisMax(above(values));
	}

	static void logarithmicY(XYChart chart, double[] values) {
		chart.getStyler().setYAxisLogarithmic(true);
		chart.getStyler().setYAxisMin(below(values));
		chart.getStyler().setYAxisMax(above(values));
	}

	static XYSeries dots(XYChart chart, String name, List<Double> x, List<Double> y) {
		return chart.addSeries(name, x, y).setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
	}

	static XYSeries line(XYChart chart, String name, List<Double> x, List<Double> y) {
		XYSeries series = chart.addSeries(name, x, y);
		series.setLineStyle(new BasicStroke(2));
		return series;
	}

	/**
	 * From a whole power of ten on, to one as well across: only these have numbers.
	 */
	static void decades(XYChart chart, double[] x, double[] y) {
		logarithmicX(chart, x);
		logarithmicY(chart, y);
		chart.getStyler().setXAxisMin(Math.pow(10, Math.floor(Math.log10(Arrays.stream(x).min().orElseThrow()))));
		chart.getStyler().setXAxisMax(Math.pow(10, Math.ceil(Math.log10(Arrays.stream(x).max().orElseThrow()))));
		chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(Arrays.stream(y).min().orElseThrow()))));
	}

	/** As other series, but of its own colour and shape. */
	static void styled(XYSeries series, Color colour, Marker marker) {
		series.setLineColor(colour);
		series.setMarkerColor(colour);
		series.setMarker(marker);
	}

	static void label(XYChart chart, String text, double x, double y) {
		chart.getStyler().setAnnotationTextFont(chart.getStyler().getAxisTickLabelsFont());
		chart.addAnnotation(new AnnotationText(text, x, y, false));
	}

	static void reference(XYChart chart, String name, List<Double> x, List<Double> y) {
		XYSeries series = chart.addSeries(name, x, y);
		series.setMarker(SeriesMarkers.NONE);
		series.setLineColor(new Color(0x57606a));
		series
			.setLineStyle(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] { 6 }, 0));
	}

	private static double below(double[] values) {
		return Arrays.stream(values).min().orElseThrow() * 0.7;
	}

	private static double above(double[] values) {
		return Arrays.stream(values).max().orElseThrow() * 1.4;
	}

}
