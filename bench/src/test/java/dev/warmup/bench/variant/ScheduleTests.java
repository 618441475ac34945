package dev.warmup.bench.variant;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ScheduleTests {

	@Test
	void aScheduleWithoutLengthEndsWithTheFirstRequest() {
		Schedule schedule = new Schedule(4, Duration.ofMillis(10), Duration.ZERO);
		assertThat(schedule.goesOn(Duration.ZERO)).isFalse();
	}

	@Test
	void aWorkerGoesOnOnlyIfItTookItsLastRequestBeforeTheEnd() {
		assertThat(Schedule.DEFAULT.goesOn(Duration.ofMillis(29_999))).isTrue();
		assertThat(Schedule.DEFAULT.goesOn(Duration.ofSeconds(30))).isFalse();
	}

	@Test
	void twoAnswersMayBeOutstandingAtTheEnd() {
		assertThat(Schedule.DEFAULT.longest(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(30 + 2 * 10 + 1));
	}

	@Test
	void aScheduleNeedsWorkersAndADelay() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Schedule(0, Duration.ofMillis(1), Duration.ofSeconds(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> new Schedule(1, Duration.ZERO, Duration.ofSeconds(1)));
	}

}
