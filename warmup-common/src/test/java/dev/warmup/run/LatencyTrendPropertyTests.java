package dev.warmup.run;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;

class LatencyTrendPropertyTests {

	private static final int WINDOW = 100;

	@Property
	void constantLatencyIsSteady(@ForAll @IntRange(min = 0, max = 60_000_000) int micros,
			@ForAll @DoubleRange(min = 0.01, max = 1) double tolerance) {
		assertThat(trend(tolerance, times(WINDOW, micros)).isSteady()).isTrue();
	}

	@Property
	void whatComesBeforeTheWindowDoesNotMatter(@ForAll("anyNumber") List<Integer> before,
			@ForAll("window") List<Integer> window) {
		LatencyTrend with = trend(0.1, before);
		window.forEach((micros) -> with.add(duration(micros)));
		assertThat(with.isSteady()).isEqualTo(trend(0.1, window).isSteady());
	}

	@Property
	void aSlowerMachineDecidesTheSame(@ForAll("window") List<Integer> window,
			@ForAll @IntRange(min = 2, max = 50) int slower) {
		List<Integer> scaled = window.stream().map((micros) -> micros * slower).toList();
		assertThat(trend(0.1, scaled).isSteady()).isEqualTo(trend(0.1, window).isSteady());
	}

	@Property
	void whatIsSteadyIsSteadyForWhoeverToleratesMore(@ForAll("window") List<Integer> window,
			@ForAll @DoubleRange(min = 0.01, max = 1) double tolerance,
			@ForAll @DoubleRange(min = 0, max = 1) double more) {
		if (trend(tolerance, window).isSteady()) {
			assertThat(trend(tolerance + more, window).isSteady()).isTrue();
		}
	}

	@Property
	void aLineThatFallsByMoreThanTheToleranceIsNotSteady(@ForAll @DoubleRange(min = 0.15, max = 0.9) double fall,
			@ForAll @IntRange(min = 10_000, max = 1_000_000) int start) {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, WINDOW);
		for (int i = 0; i < WINDOW; i++) {
			trend.add(duration((int) (start * (1 - fall * i / WINDOW))));
		}
		assertThat(trend.isSteady()).isFalse();
	}

	@Property
	void upToTwoBatchesOfAnySizeDoNotEndARun(@ForAll @IntRange(min = 0, max = 9) int one,
			@ForAll @IntRange(min = 0, max = 9) int other, @ForAll @IntRange(min = 0, max = 10_000_000) int outlier) {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, WINDOW);
		for (int i = 0; i < WINDOW; i++) {
			int batch = i / 10;
			trend.add(duration((batch == one || batch == other) ? outlier : 10_000 - 500 * batch));
		}
		assertThat(trend.isSteady()).isFalse();
	}

	@Property
	void noiseAroundALevelIsSteadyInTheEnd(@ForAll long seed) {
		Random random = new Random(seed);
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, WINDOW);
		boolean steady = false;
		for (int i = 0; i < 20 * WINDOW && !steady; i++) {
			trend.add(duration((int) (5_000 + 1_000 * Math.abs(random.nextGaussian()))));
			steady = trend.isSteady();
		}
		assertThat(steady).isTrue();
	}

	@Property
	void latencyThatIsRandomOverMagnitudesNeverSettles(@ForAll long seed) {
		Random random = new Random(seed);
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, WINDOW);
		for (int i = 0; i < 20 * WINDOW; i++) {
			trend.add(duration((int) (1_000 * Math.pow(1_000, random.nextDouble()))));
			assertThat(trend.isSteady()).isFalse();
		}
	}

	@Provide
	Arbitrary<List<Integer>> window() {
		return latency().list().ofSize(WINDOW);
	}

	@Provide
	Arbitrary<List<Integer>> anyNumber() {
		return latency().list().ofMaxSize(3 * WINDOW);
	}

	private static Arbitrary<Integer> latency() {
		return Arbitraries.integers().between(50_000, 100_000);
	}

	private static List<Integer> times(int n, int micros) {
		return Collections.nCopies(n, micros);
	}

	private static LatencyTrend trend(double tolerance, List<Integer> window) {
		LatencyTrend trend = new LatencyTrend(tolerance, 0.3, WINDOW);
		window.forEach((micros) -> trend.add(duration(micros)));
		return trend;
	}

	private static Duration duration(int micros) {
		return Duration.ofNanos(1_000L * micros);
	}

}
