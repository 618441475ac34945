package dev.warmup.protocol;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdleScheduleTests {

	@ParameterizedTest
	@CsvSource({ "PT30M, PT1M, PT1M", "PT4M, PT1M, PT1M", "PT2M, PT1M, PT30S", "PT4S, PT1M, PT1S",
			"PT0.1S, PT1M, PT0.1S", "PT0.1S, PT0.02S, PT0.02S", "PT0S, PT1M, PT1M" })
	void thePeriodIsAsSetUnlessAQuarterOfTheIdleTimeIsShorter(Duration after, Duration checkEvery, Duration period) {
		assertThat(new IdleSchedule(after, checkEvery, 0).period()).isEqualTo(period);
	}

	@Test
	void zeroMeansNever() {
		assertThat(new IdleSchedule(Duration.ZERO, Duration.ofMinutes(1), 0).isNever()).isTrue();
		assertThat(new IdleSchedule(Duration.ofNanos(1), Duration.ofMinutes(1), 0).isNever()).isFalse();
	}

}
