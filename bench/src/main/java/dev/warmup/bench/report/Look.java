package dev.warmup.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How charts look: dark ink on a light card of their own, which can be read on a light
 * page and on a dark one.
 */
final class Look {

	static final int WIDTH = 900;

	static final int HEIGHT = 460;

	/**
	 * How numbers stand on axes. A function in its place would have the ticks of a
	 * logarithmic axis computed as if it were linear.
	 */
	static final String PATTERN = "#,##0.##";

	/**
	 * Told apart also by those who do not see red and green, each dark enough for the
	 * card.
	 */
	static final List<Color> COLOURS = List.of(new Color(0x0969da), new Color(0xbc4c00), new Color(0x57606a),
			new Color(0x1a7f37), new Color(0x8250df), new Color(0x9a6700), new Color(0xbf3989), new Color(0x0a3069),
			new Color(0x24292f));

	private static final Color CARD = new Color(0xf6f8fa);

	private static final Color INK = new Color(0x1f2328);

	private static final Color LINES = new Color(0xd0d7de);

	private Look() {
	}

	static <T extends AxesChartStyler> T apply(T styler) {
		Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
		styler.setChartBackgroundColor(CARD);
		styler.setChartFontColor(INK);
		styler.setPlotBackgroundColor(CARD);
		styler.setPlotBorderVisible(false);
		styler.setChartTitleFont(font.deriveFont(Font.BOLD, 16f));
		styler.setChartTitleBoxVisible(false);
		styler.setChartPadding(14);
		styler.setSeriesColors(COLOURS.toArray(Color[]::new));
		styler.setSeriesMarkers(new Marker[] { SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE,
				SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.TRIANGLE_UP });
		styler.setLegendPosition(LegendPosition.OutsideS);
		styler.setLegendLayout(LegendLayout.Horizontal);
		styler.setLegendBorderColor(CARD);
		styler.setLegendBackgroundColor(CARD);
		styler.setLegendFont(font);
		styler.setAxisTitleFont(font.deriveFont(Font.BOLD));
		styler.setAxisTickLabelsFont(font);
		styler.setAxisTickLabelsColor(INK);
		styler.setAxisTickMarksColor(LINES);
		styler.setPlotGridLinesColor(LINES);
		styler.setPlotGridLinesStroke(new BasicStroke(1));
		styler.setLocale(Locale.ROOT);
		return styler;
	}

	/**
	 * Writes a chart.
	 * @param chart the chart, if there is one
	 * @param file where to
	 * @return whether there was one
	 * @throws IOException when it cannot be written
	 */
	static boolean save(Optional<Chart<?, ?>> chart, Path file) throws IOException {
		if (chart.isPresent()) {
			VectorGraphicsEncoder.saveVectorGraphic(chart.get(), file.toString(), VectorGraphicsFormat.SVG);
		}
		return chart.isPresent();
	}

}
