package dev.warmup.run;

import java.time.Duration;
import java.util.function.DoubleUnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MarginalGainTests {

	@Test
	void isKnownOnceThereAreEnoughRounds() {
		MarginalGain gain = new MarginalGain();
		assertThat(gain.isBelow(Duration.ofDays(1))).isFalse();
		for (int second = 1; second <= 10; second++) {
			gain.add(Duration.ofSeconds(second), Duration.ofMillis(10));
			assertThat(gain.isBelow(Duration.ofMillis(1))).isFalse();
		}
		gain.add(Duration.ofSeconds(11), Duration.ofMillis(10));
		assertThat(gain.isBelow(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void isNotKnownInTheFirstSeconds() {
		assertThat(after(4, (time) -> 10).isBelow(Duration.ofMillis(1))).isFalse();
		assertThat(after(5, (time) -> 10).isBelow(Duration.ofMillis(1))).isTrue();
	}

	@Test
	void isTheSlopeOfAPowerOfTime() {
		// the derivative of 200 ms / t is 2 ms a second after 10 s, 0.5 after 20 s
		assertThat(after(10, (time) -> 200 / time).isBelow(Duration.ofMillis(3))).isTrue();
		assertThat(after(10, (time) -> 200 / time).isBelow(Duration.ofMillis(1))).isFalse();
		assertThat(after(20, (time) -> 200 / time).isBelow(Duration.ofMillis(1))).isTrue();
		// that of 200 ms / √t is 3.2 ms a second after 10 s
		assertThat(after(10, (time) -> 200 / Math.sqrt(time)).isBelow(Duration.ofMillis(2))).isFalse();
		assertThat(after(10, (time) -> 200 / Math.sqrt(time)).isBelow(Duration.ofMillis(5))).isTrue();
	}

	@Test
	void aFewSlowRoundsDoNotMatter() {
		MarginalGain gain = after(20, (time) -> (Math.round(time * 10) % 7 == 0) ? 1000 : 200 / time);
		assertThat(gain.isBelow(Duration.ofMillis(1))).isTrue();
		assertThat(gain.isBelow(Duration.ofNanos(200_000))).isFalse();
	}

	@Test
	void latencyThatRisesSaysNothing() {
		assertThat(after(20, (time) -> time).isBelow(Duration.ofDays(1))).isFalse();
	}

	/** Rounds of 100 ms. */
	private static MarginalGain after(int seconds, DoubleUnaryOperator millis) {
		MarginalGain gain = new MarginalGain();
		for (int i = 1; i <= 10 * seconds; i++) {
			gain.add(Duration.ofMillis(100 * i), Duration.ofNanos(Math.round(millis.applyAsDouble(i / 10.0) * 1e6)));
		}
		return gain;
	}

}
