package dev.warmup.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(60)
class LatencyTrendTests {

	private static final int WINDOW = 100;

	@Test
	void fewerAnswersThanTheWindowAreNotSteady() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 20);
		add(trend, IntStream.range(0, 19).map((i) -> 5).toArray());
		assertThat(trend.isSteady()).isFalse();
		assertThat(trend.problem()).hasValue("had 19 of the 20 answers that are needed");
		add(trend, 5);
		assertThat(trend.isSteady()).isTrue();
		assertThat(trend.problem()).isEmpty();
	}

	@Test
	void aFallBeyondTheToleranceIsDescribedInPercentOfTheMedian() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 10);
		add(trend, IntStream.range(0, 10).map((i) -> 109 - 2 * i).toArray());
		assertThat(trend.isSteady()).isFalse();
		assertThat(trend.problem()).hasValue("still fell by 18 % over its last 10 answers, to 91.0 ms");
		assertThat(steady(0.2, IntStream.range(0, 10).map((i) -> 109 - 2 * i).toArray())).isTrue();
	}

	@Test
	void onlyTheWindowCounts() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 10);
		add(trend, IntStream.range(0, 100).map((i) -> 1_000 - 9 * i).toArray());
		assertThat(trend.isSteady()).isFalse();
		add(trend, IntStream.range(0, 10).map((i) -> 100).toArray());
		assertThat(trend.isSteady()).isTrue();
	}

	@Test
	void risingLatencyIsNoColdPath() {
		assertThat(steady(0.1, IntStream.range(0, 10).map((i) -> 100 + 10 * i).toArray())).isTrue();
	}

	@Test
	void twoPausesOfTheMachineChangeNothing() {
		assertThat(steady(0.1, 900, 10, 10, 10, 10, 700, 10, 10, 10, 10)).isTrue();
		assertThat(steady(0.1, 100, 95, 90, 2, 80, 75, 70, 900, 60, 55)).isFalse();
	}

	@Test
	void aStepDownThatIsOverHasToLeaveTheWindowHalf() {
		assertThat(steady(0.1, 50, 50, 50, 10, 10, 10, 10, 10, 10, 10)).isTrue();
		assertThat(steady(0.1, 50, 50, 50, 50, 50, 10, 10, 10, 10, 10)).isFalse();
	}

	@Test
	void answersThatDisagreeAreNotSteady() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 10);
		add(trend, 50, 150, 60, 140, 100, 50, 150, 60, 140, 100);
		assertThat(trend.isSteady()).isFalse();
		assertThat(trend.problem()).hasValue("varied by 40 % around 100.0 ms");
	}

	@Test
	void latenciesTooSmallToMeasureAreSteady() {
		assertThat(steady(0.1, new int[10])).isTrue();
	}

	@Test
	void aWindowIsCutIntoBatchesOfEqualSize() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 37);
		add(trend, IntStream.range(0, 30).map((i) -> 7).toArray());
		assertThat(trend.isSteady()).as("30 of 37").isTrue();
		LatencyTrend one = new LatencyTrend(0.1, 0.3, 1);
		add(one, 7);
		assertThat(one.isSteady()).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> new LatencyTrend(0.1, 0.3, 0));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void constantLatencyIsSteadyWhateverTheTolerance(long seed) {
		Random random = new Random(seed);
		assertThat(trend(0.01 + random.nextDouble(), constant(random.nextInt(60_000_000))).isSteady()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void neitherWhatCameBeforeNorTheSpeedOfTheMachineDecides(long seed) {
		Random random = new Random(seed);
		int[] window = window(random);
		boolean steady = trend(0.1, window).isSteady();
		LatencyTrend after = trend(0.1, window(random));
		int slower = 2 + random.nextInt(48);
		LatencyTrend scaled = trend(0.1, IntStream.of(window).map((micros) -> micros * slower).toArray());
		addMicros(after, window);
		assertThat(after.isSteady()).isEqualTo(steady);
		assertThat(scaled.isSteady()).isEqualTo(steady);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void whatIsSteadyIsSteadyWithMoreTolerance(long seed) {
		Random random = new Random(seed);
		int[] window = window(random);
		double tolerance = 0.01 + random.nextDouble();
		assertThat(!trend(tolerance, window).isSteady() || trend(tolerance + random.nextDouble(), window).isSteady())
			.isTrue();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void aLineThatFallsByMoreThanTheToleranceIsNotSteady(long seed) {
		Random random = new Random(seed);
		double fall = 0.15 + 0.75 * random.nextDouble();
		int start = 10_000 + random.nextInt(990_000);
		int[] line = IntStream.range(0, WINDOW).map((i) -> (int) (start * (1 - fall * i / WINDOW))).toArray();
		assertThat(trend(0.1, line).isSteady()).isFalse();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void upToTwoBatchesOfAnySizeDoNotEndARun(long seed) {
		Random random = new Random(seed);
		int one = random.nextInt(10);
		int other = random.nextInt(10);
		int outlier = random.nextInt(10_000_000);
		int[] falling = IntStream.range(0, WINDOW)
			.map((i) -> (i / 10 == one || i / 10 == other) ? outlier : 10_000 - 500 * (i / 10))
			.toArray();
		assertThat(trend(0.1, falling).isSteady()).isFalse();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void noiseAroundALevelGetsSteadyAndLatencyRandomOverMagnitudesDoesNot(long seed) {
		Random random = new Random(seed);
		LatencyTrend noise = new LatencyTrend(0.1, 0.3, WINDOW);
		LatencyTrend magnitudes = new LatencyTrend(0.1, 0.3, WINDOW);
		boolean steady = false;
		for (int i = 0; i < 20 * WINDOW; i++) {
			addMicros(noise, (int) (5_000 + 1_000 * Math.abs(random.nextGaussian())));
			addMicros(magnitudes, (int) (1_000 * Math.pow(1_000, random.nextDouble())));
			steady |= noise.isSteady();
			assertThat(magnitudes.isSteady()).isFalse();
		}
		assertThat(steady).isTrue();
	}

	static LongStream seeds() {
		return LongStream.range(0, 20);
	}

	private static int[] window(Random random) {
		return random.ints(WINDOW, 50_000, 100_001).toArray();
	}

	private static int[] constant(int micros) {
		int[] window = new int[WINDOW];
		Arrays.fill(window, micros);
		return window;
	}

	private static LatencyTrend trend(double tolerance, int... micros) {
		LatencyTrend trend = new LatencyTrend(tolerance, 0.3, WINDOW);
		addMicros(trend, micros);
		return trend;
	}

	private static void addMicros(LatencyTrend trend, int... micros) {
		IntStream.of(micros).forEach((each) -> trend.add(Duration.ofNanos(1_000L * each)));
	}

	private static boolean steady(double tolerance, int... millis) {
		LatencyTrend trend = new LatencyTrend(tolerance, 0.3, millis.length);
		add(trend, millis);
		return trend.isSteady();
	}

	private static void add(LatencyTrend trend, int... millis) {
		for (Duration each : IntStream.of(millis).mapToObj(Duration::ofMillis).toList()) {
			trend.add(each);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdk-17-one-at-a-time", "jdk-25-one-at-a-time" })
	void noRequestIsCalledSteadyInItsFirstFall(String recording) throws IOException {
		for (double[] series : recorded(recording)) {
			int end = end(series);
			assertThat(end).isBetween(WINDOW, series.length - 1);
			assertThat(median(series, end - WINDOW / 2, end)).isLessThan(median(series, 10, 60) * 2 / 3);
		}
	}

	@Test
	void whatIsCalledSteadyIsNearTheEndOfTheRecording() throws IOException {
		for (double[] series : recorded("jdk-17-one-at-a-time")) {
			assertThat(left(series, end(series))).isLessThan(1.6);
		}
	}

	/** By how much latency fell afterwards. */
	private static double left(double[] series, int end) {
		return median(series, end - WINDOW / 2, end) / median(series, series.length - WINDOW, series.length);
	}

	private static int end(double[] series) {
		return IntStream.range(WINDOW, series.length)
			.filter((end) -> end % 5 == 0)
			.filter((end) -> steadyIn(Arrays.copyOfRange(series, end - WINDOW, end)))
			.findFirst()
			.orElse(series.length);
	}

	private static double median(double[] series, int from, int to) {
		double[] sorted = Arrays.copyOfRange(series, from, to);
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	/** A series for each request: a line with its name and its latencies in microseconds. */
	private static List<double[]> recorded(String name) throws IOException {
		try (InputStream in = Objects
			.requireNonNull(LatencyTrendTests.class.getResourceAsStream("/dev/warmup/steady/" + name + ".csv"))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
				.map((line) -> Stream.of(line.split(",")).skip(1).mapToDouble(Double::parseDouble).toArray())
				.toList();
		}
	}

	private static boolean steadyIn(double[] window) {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, window.length);
		for (double micros : window) {
			trend.add(Duration.ofNanos((long) (1_000 * micros)));
		}
		return trend.isSteady();
	}

}
