package dev.warmup.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LatencyTrendTests {

	private static final int WINDOW = 100;

	@Test
	void fewerAnswersThanTheWindowAreNotSteady() {
		LatencyTrend trend = trend(0.1, 20, IntStream.range(0, 19).map((i) -> 5));
		assertThat(trend.isSteady()).isFalse();
		assertThat(trend.problem()).hasValue("had 19 of the 20 answers that are needed");
		trend.add(Duration.ofMillis(5));
		assertThat(trend.isSteady()).isTrue();
		assertThat(trend.problem()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "0.0625, 0.1875, 1", "0.25, 0.75, 2.5" })
	void theOtherLimitsAreTheLibrarys(double tolerance, double maxSpread, double maxContention) {
		assertThat(RunSettings.SteadyCriteria.of(tolerance, 20))
			.isEqualTo(new RunSettings.SteadyCriteria(tolerance, maxSpread, 20, 0.5, 50, maxContention));
	}

	@Test
	void aFallBeyondTheToleranceIsDescribedInMilliseconds() {
		int[] falling = IntStream.range(0, 10).map((i) -> 109 - 2 * i).toArray();
		assertThat(problem(0.1, falling)).hasValue("still fell by 18.00 ms over its last 10 answers, to 91.00 ms");
		assertThat(problem(0.18, falling)).isEmpty();
	}

	@Test
	void onlyTheWindowCounts() {
		LatencyTrend trend = trend(0.1, 10, IntStream.range(0, 100).map((i) -> 1_000 - 9 * i));
		assertThat(trend.isSteady()).isFalse();
		IntStream.range(0, 10).forEach((i) -> trend.add(Duration.ofMillis(100)));
		assertThat(trend.isSteady()).isTrue();
	}

	@Test
	void whatFallsNoMoreIsSteadyAlsoWithOutliersOrTooSmallToMeasure() {
		assertThat(problem(0.1, IntStream.range(0, 10).map((i) -> 100 + 10 * i).toArray())).as("rising").isEmpty();
		assertThat(problem(0.1, 900, 10, 10, 10, 10, 700, 10, 10, 10, 10)).as("pauses").isEmpty();
		assertThat(problem(0.1, 100, 95, 90, 2, 80, 75, 70, 900, 60, 55)).as("pauses in a fall").isPresent();
		assertThat(problem(0.1, 50, 50, 50, 10, 10, 10, 10, 10, 10, 10)).as("a step that left half").isEmpty();
		assertThat(problem(0.1, 50, 50, 50, 50, 50, 10, 10, 10, 10, 10)).as("a step").isPresent();
		assertThat(problem(0.1, new int[10])).as("zero").isEmpty();
	}

	@Test
	void answersThatDisagreeAreNotSteady() {
		assertThat(problem(0.1, 50, 150, 60, 140, 100, 50, 150, 60, 140, 100))
			.hasValue("varied by 40 % around 100.0 ms");
		assertThat(problem(0.1, 70, 130, 70, 130, 100, 70, 130, 70, 130, 100)).as("as much as it may").isEmpty();
	}

	@Test
	void aWindowIsCutIntoBatchesOfEqualSize() {
		assertThat(trend(0.1, 37, IntStream.range(0, 30).map((i) -> 7)).isSteady()).as("30 of 37").isTrue();
		assertThat(problem(0.1, 7)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> RunSettings.SteadyCriteria.of(0.1, 0));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void aLineThatFallsByMoreThanTheToleranceIsNotSteady(long seed) {
		Random random = new Random(seed);
		double fall = 0.15 + 0.75 * random.nextDouble();
		int start = 10_000 + random.nextInt(990_000);
		assertThat(
				isSteady(0.1, IntStream.range(0, WINDOW).map((i) -> (int) (start * (1 - fall * i / WINDOW))).toArray()))
			.isFalse();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void noiseAroundALevelGetsSteadyAndLatencyRandomOverMagnitudesDoesNot(long seed) {
		Random random = new Random(seed);
		LatencyTrend noise = trend(0.1, WINDOW, IntStream.empty());
		LatencyTrend magnitudes = trend(0.1, WINDOW, IntStream.empty());
		boolean steady = false;
		for (int i = 0; i < 20 * WINDOW; i++) {
			noise.add(micros(5_000 + 1_000 * Math.abs(random.nextGaussian())));
			magnitudes.add(micros(1_000 * Math.pow(1_000, random.nextDouble())));
			steady |= noise.isSteady();
			assertThat(magnitudes.isSteady()).isFalse();
		}
		assertThat(steady).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdk-17-one-at-a-time", "jdk-25-one-at-a-time" })
	void noRequestIsCalledSteadyInItsFirstFall(String recording) throws IOException {
		for (int[] series : recorded(recording)) {
			int end = end(series);
			assertThat(end).isBetween(WINDOW, series.length - 1);
			double steady = median(series, end - WINDOW / 2, end);
			assertThat(steady).isLessThan(median(series, 10, 60) * 2 / 3);
			if (recording.startsWith("jdk-17")) {
				assertThat(steady).isLessThan(1.6 * median(series, series.length - WINDOW, series.length));
			}
		}
	}

	static LongStream seeds() {
		return LongStream.range(0, 20);
	}

	private static int end(int[] series) {
		return IntStream.range(WINDOW, series.length)
			.filter((end) -> end % 5 == 0)
			.filter((end) -> isSteady(0.1, Arrays.copyOfRange(series, end - WINDOW, end)))
			.findFirst()
			.orElse(series.length);
	}

	private static double median(int[] series, int from, int to) {
		int[] sorted = Arrays.copyOfRange(series, from, to);
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	/** A series for each request: a line with its name and its latencies in µs. */
	private static List<int[]> recorded(String name) throws IOException {
		try (InputStream in = Objects
			.requireNonNull(LatencyTrendTests.class.getResourceAsStream("/dev/warmup/steady/" + name + ".csv"))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
				.map((line) -> Stream.of(line.split(",")).skip(1).mapToInt(Integer::parseInt).toArray())
				.toList();
		}
	}

	/** What is wrong with a window of that many milliseconds. */
	private static Optional<String> problem(double tolerance, int... millis) {
		return trend(tolerance, millis.length, IntStream.of(millis)).problem();
	}

	private static boolean isSteady(double tolerance, int... micros) {
		LatencyTrend trend = trend(tolerance, WINDOW, IntStream.empty());
		IntStream.of(micros).forEach((each) -> trend.add(micros(each)));
		return trend.isSteady();
	}

	private static LatencyTrend trend(double tolerance, int window, IntStream millis) {
		LatencyTrend trend = new LatencyTrend(new RunSettings.SteadyCriteria(tolerance, 0.3, window, 1, 1, 1_000));
		millis.forEach((each) -> trend.add(Duration.ofMillis(each)));
		return trend;
	}

	private static Duration micros(double micros) {
		return Duration.ofNanos((long) (1_000 * micros));
	}

}
