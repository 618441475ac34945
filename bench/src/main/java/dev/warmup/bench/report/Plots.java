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

	static void dots(XYChart chart, String name, List<Double> x, List<Double> y) {
		chart.addSeries(name, x, y).setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
	}

	static void line(XYChart chart, String name, List<Double> x, List<Double> y) {
		chart.addSeries(name, x, y).setLineStyle(new BasicStroke(2));
	}

	/** A text above a point of a chart whose y axis is logarithmic. */
	static void label(XYChart chart, String text, double x, double y) {
		chart.addAnnotation(new AnnotationText(text, x, y * 1.18, false));
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
