package dev.warmup.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SteadinessTests {

	private static final int WINDOW = 100;

	private final Steadiness steadiness = new Steadiness(0.1, WINDOW);

	private Instant now = Instant.EPOCH;

	@Test
	void fewerAnswersThanTheWindowAreNotSteadyHoweverLongTheyTake() {
		add(WINDOW - 1, Duration.ofSeconds(1), (i) -> 5);
		assertThat(this.steadiness.isSteady()).isFalse();
		add(WINDOW / 10, Duration.ofSeconds(1), (i) -> 5);
		assertThat(this.steadiness.isSteady()).isTrue();
	}

	@Test
	void answersOfLessThanThreeSecondsAreNotSteadyHoweverManyThereAre() {
		add(2_900, Duration.ofMillis(1), (i) -> 5);
		assertThat(this.steadiness.isSteady()).isFalse();
		add(200, Duration.ofMillis(1), (i) -> 5);
		assertThat(this.steadiness.isSteady()).isTrue();
	}

	@Test
	void aFallOverThreeSecondsIsSeenThoughTheLastHundredAnswersAreLevel() {
		add(3_000, Duration.ofMillis(1), (i) -> 100 - 0.03 * i);
		add(200, Duration.ofMillis(1), (i) -> 10);
		assertThat(this.steadiness.isSteady()).isFalse();
	}

	@Test
	void onlyTheWindowCounts() {
		add(3_000, Duration.ofMillis(1), (i) -> 100 - 0.03 * i);
		add(3_100, Duration.ofMillis(1), (i) -> 10);
		assertThat(this.steadiness.isSteady()).isTrue();
		assertThat(this.steadiness.latencies().count()).isBetween(3_000L, 3_002L);
	}

	@Test
	void risingLatencyAndAFewPausesAreNoSignOfAColdPath() {
		add(WINDOW, Duration.ofMillis(50), (i) -> 10 + i);
		assertThat(this.steadiness.isSteady()).as("rising").isTrue();
		add(WINDOW, Duration.ofMillis(50), (i) -> (i < 20) ? 900 : 10);
		assertThat(this.steadiness.isSteady()).as("a pause").isTrue();
		add(WINDOW, Duration.ofMillis(50), (i) -> (i < 50) ? 50 : 10);
		assertThat(this.steadiness.isSteady()).as("a step").isFalse();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void aLineThatFallsByMoreThanTheToleranceIsNotSteadyAndNoiseAroundALevelIs(long seed) {
		Random random = new Random(seed);
		double fall = 0.15 + 0.75 * random.nextDouble();
		add(WINDOW, Duration.ofMillis(50), (i) -> 100 * (1 - fall * i / WINDOW));
		assertThat(this.steadiness.isSteady()).isFalse();
		boolean steady = false;
		for (int i = 0; i < 20 * WINDOW; i++) {
			add(1, Duration.ofMillis(50), (j) -> 5 + Math.abs(random.nextGaussian()));
			steady |= this.steadiness.isSteady();
		}
		assertThat(steady).isTrue();
	}

	static LongStream seeds() {
		return LongStream.range(0, 10);
	}

	/** Each file has a line for each request, with its name and its latencies in µs. */
	@ParameterizedTest
	@ValueSource(strings = { "jdk-17-one-at-a-time", "jdk-25-one-at-a-time" })
	void noRecordedColdStartIsCalledSteadyInItsFirstFall(String recording) throws IOException {
		List<long[]> requests = recorded(recording);
		for (long[] series : requests) {
			Steadiness recorded = new Steadiness(0.1, WINDOW);
			Instant time = Instant.EPOCH;
			int end = 0;
			while (end < series.length && !recorded.isSteady()) {
				for (long[] each : requests) { // one at a time
					time = time.plusNanos(1_000 * each[Math.min(end, each.length - 1)]);
				}
				recorded.add(time, Duration.ofNanos(1_000 * series[end++]));
			}
			double judged = Steadiness.percentile(recorded.latencies(), 50).orElseThrow().toNanos() / 1_000d;
			assertThat(end).isGreaterThan(WINDOW);
			assertThat(judged).isLessThan(LongStream.of(series).limit(50).skip(5).sorted().toArray()[22]);
		}
	}

	@Test
	void percentilesAreThoseOfTheAnswersGiven() {
		assertThat(Steadiness.percentile(LongStream.rangeClosed(1, 101), 50)).hasValue(Duration.ofNanos(51));
		assertThat(Steadiness.percentile(LongStream.rangeClosed(1, 101), 95)).hasValue(Duration.ofNanos(96));
		assertThat(Steadiness.percentile(LongStream.empty(), 50)).isEmpty();
	}

	private void add(int count, Duration apart, IntToDoubleFunction millis) {
		for (int i = 0; i < count; i++) {
			this.now = this.now.plus(apart);
			this.steadiness.add(this.now, Duration.ofNanos((long) (1e6 * millis.applyAsDouble(i))));
		}
	}

	private static List<long[]> recorded(String name) throws IOException {
		try (InputStream in = Objects
			.requireNonNull(SteadinessTests.class.getResourceAsStream("/dev/warmup/steady/" + name + ".csv"))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
				.map((line) -> Stream.of(line.split(",")).skip(1).mapToLong(Long::parseLong).toArray())
				.toList();
		}
	}

}
