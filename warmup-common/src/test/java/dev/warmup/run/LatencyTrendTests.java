package dev.warmup.run;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LatencyTrendTests {

	@Test
	void fewerAnswersThanTheWindowDoNotTell() {
		LatencyTrend trend = new LatencyTrend(0.1, 0.3, 20);
		add(trend, IntStream.range(0, 19).map((i) -> 5).toArray());
		assertThat(trend.isSteady()).isFalse();
		assertThat(trend.problem()).hasValue("had 19 of the 20 answers that tell");
		add(trend, 5);
		assertThat(trend.isSteady()).isTrue();
		assertThat(trend.problem()).isEmpty();
	}

	@Test
	void aFallBeyondTheToleranceIsSaidInPercentOfTheMedian() {
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

}
