package dev.warmup.bench.report;

import java.util.List;

import dev.warmup.bench.result.Runs;
import dev.warmup.bench.result.Summary;
import dev.warmup.bench.result.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;

import static org.assertj.core.api.Assertions.assertThat;

class DrawingTests {

	private static final Summary GOOD = Runs.good().curves().summary();

	static List<Drawing> drawings() {
		return Drawing.ALL;
	}

	@ParameterizedTest
	@MethodSource("drawings")
	void titleAndAxesAreThere(Drawing drawing) {
		Chart<?, ?> chart = drawing.draw(GOOD).orElseThrow();
		assertThat(chart.getTitle()).isEqualTo(drawing.title());
		assertThat(chart.getYAxisTitle()).isNotBlank();
	}

	/** With a function for its labels XChart shows the ticks of a linear axis. */
	@ParameterizedTest
	@MethodSource("drawings")
	void ticksOfALogarithmicAxisAreLogarithmic(Drawing drawing) {
		Chart<?, ?> chart = drawing.draw(GOOD).orElseThrow();
		AxesChartStyler styler = (AxesChartStyler) chart.getStyler();
		assertThat(styler.isYAxisLogarithmic()).isEqualTo(chart.getYAxisTitle().contains("(log"));
		assertThat(styler.getxAxisTickLabelsFormattingFunction()).isNull();
		assertThat(styler.getyAxisTickLabelsFormattingFunction()).isNull();
	}

	@ParameterizedTest
	@MethodSource("drawings")
	void nothingIsDrawnOfNothing(Drawing drawing) {
		assertThat(drawing.draw(Runs.none().summary())).isEmpty();
	}

	@Test
	void firstChartHasTheSlowestKindAndTheMiddleOfAllByVariant() {
		CategoryChart chart = (CategoryChart) new FirstChart().draw(GOOD).orElseThrow();
		assertThat(chart.getSeriesMap().get("slowest kind of request").getYData()).hasSize(11)
			.first()
			.satisfies((value) -> assertThat(value.doubleValue()).isEqualTo(200));
		assertThat(chart.getSeriesMap().get("median of all kinds").getYData()).first()
			.satisfies((value) -> assertThat(value.doubleValue()).isEqualTo(167.5));
	}

	@Test
	void growthIsAMultipleOfTheLeastBesideALine() {
		XYChart chart = (XYChart) new GrowthChart()
			.draw(Runs.none()
				.with("growth", "100 instances", "ours", "gateway cpu", Unit.SECONDS, 6)
				.with("growth", "1 instances", "ours", "gateway cpu", Unit.SECONDS, 2)
				.summary())
			.orElseThrow();
		assertThat(chart.getSeriesMap()).containsOnlyKeys("gateway CPU, by instances", "linear");
		assertThat(chart.getSeriesMap().get("gateway CPU, by instances").getXData()).containsExactly(1, 100);
		assertThat(chart.getSeriesMap().get("gateway CPU, by instances").getYData()).containsExactly(1, 3);
		assertThat(chart.getSeriesMap().get("linear").getYData()).containsExactly(1, 100);
	}

	@Test
	void curveJoinsTheFixedCountsByTheirCpuAndSetsOursApart() {
		XYChart chart = (XYChart) new CurveChart().draw(Runs.curve().summary()).orElseThrow();
		assertThat(chart.getSeriesMap()).containsOnlyKeys("fixed counts, p50", "fixed counts, p99", "ours, p50",
				"ours, p99");
		assertThat(chart.getSeriesMap().get("fixed counts, p50").getXData()).containsExactly(30, 80, 300);
		assertThat(chart.getSeriesMap().get("fixed counts, p50").getYData()).containsExactly(12, 3, 1.5);
		assertThat(chart.getSeriesMap().get("ours, p99").getXData()).containsExactly(90);
		assertThat(chart.getSeriesMap().get("ours, p99").getYData()).containsExactly(5);
		assertThat(chart.getSeriesMap().get("ours, p50").getMarkerColor())
			.isEqualTo(chart.getSeriesMap().get("ours, p99").getMarkerColor())
			.isNotEqualTo(chart.getSeriesMap().get("fixed counts, p50").getMarkerColor());
		assertThat(chart.getStyler().getXAxisMin()).isEqualTo(10);
		assertThat(chart.getStyler().getXAxisMax()).isEqualTo(1000);
	}

	@Test
	void aCountWhoseCpuIsNotKnownHasNoPlaceOnTheCurve() {
		XYChart chart = (XYChart) new CurveChart().draw(Runs.curve().without("curve", "ours", "cpu").summary())
			.orElseThrow();
		assertThat(chart.getSeriesMap()).containsOnlyKeys("fixed counts, p50", "fixed counts, p99");
	}

	@Test
	void costOfTheSteadyStateIsNotShown() {
		XYChart chart = (XYChart) new CostChart().draw(GOOD).orElseThrow();
		assertThat(chart.getSeriesMap()).containsKeys("nothing", "ours").doesNotContainKey("steady state");
	}

}
