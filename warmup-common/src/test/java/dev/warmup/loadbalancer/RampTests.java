package dev.warmup.loadbalancer;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RampTests {

	private static final Instant START = Instant.EPOCH;

	private static final Duration WINDOW = Duration.ofMinutes(1);

	/** Siblings answer in 2 ms over each route but "new". */
	private static final LastLatencies SIBLINGS = new LastLatencies();

	static {
		for (int i = 0; i < 5; i++) {
			SIBLINGS.add("rooms", Duration.ofMillis(2));
			SIBLINGS.add("users", Duration.ofMillis(2));
		}
	}

	private final Ramp ramp = new Ramp(START, WINDOW);

	@Test
	void weightStartsAtAFloorThatGrowsWithAge() {
		assertThat(this.ramp.weight(START)).isEqualTo(0.05);
		assertThat(this.ramp.weight(START.plusSeconds(30))).isCloseTo(0.15, within(0.001));
		assertThat(this.ramp.weight(START.plusSeconds(59))).isLessThan(0.25);
		assertThat(this.ramp.weight(START.plusSeconds(60))).as("the window is over").isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "2, 1", "3, 0.444", "4, 0.25", "8, 0.0625", "100, 0.05" })
	void weightIsTheInverseSquareOfTheRatio(int millis, double weight) {
		answered("rooms", millis, 10);
		assertThat(this.ramp.weight(START)).isCloseTo(weight, within(0.001));
	}

	@Test
	void fewAnswersOnEitherSideDoNotChangeTheWeight() {
		answered("rooms", 2, 4);
		answered("new", 2, 20);
		assertThat(this.ramp.weight(START)).isEqualTo(0.05);
		answered("rooms", 2, 1);
		assertThat(this.ramp.weight(START)).isEqualTo(1);
	}

	@Test
	void routesCountByTheirAnswers() {
		answered("rooms", 2, 5);
		answered("users", 8, 15);
		// 1^(1/4) * 4^(3/4) = 2.83
		assertThat(this.ramp.weight(START)).isCloseTo(0.125, within(0.001));
	}

	@Test
	void fastInstanceIsAFullMemberAfterFiftyAnswers() {
		answered("rooms", 2, 49);
		assertThat(this.ramp.isOver(START)).isFalse();
		answered("rooms", 2, 1);
		assertThat(this.ramp.isOver(START)).isTrue();
	}

	@Test
	void oneUserWaitsAtFirstAndTwiceAsManyWhileItIsGood() {
		assertThat(admitted()).isEqualTo(1);
		answered("rooms", 3, 5);
		assertThat(admitted()).isEqualTo(2);
		answered("rooms", 3, 10);
		assertThat(admitted()).isEqualTo(8);
		answered("rooms", 30, 50);
		assertThat(admitted()).isEqualTo(1);
	}

	/** How many may wait at once. */
	private int admitted() {
		int count = 0;
		while (this.ramp.admits(START, 0)) {
			this.ramp.begun(count++, START);
		}
		for (int i = 0; i < count; i++) {
			this.ramp.ended(i);
		}
		return count;
	}

	private void answered(String route, int millis, int times) {
		for (int i = 0; i < times; i++) {
			this.ramp.answered(route, Duration.ofMillis(millis), SIBLINGS);
		}
	}

}
