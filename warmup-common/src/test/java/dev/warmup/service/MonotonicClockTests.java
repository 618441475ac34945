package dev.warmup.service;

import java.time.Clock;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MonotonicClockTests {

	@Test
	void thereIsOneForAllAndItsTimeGoesOn() {
		Clock clock = MonotonicClock.system();
		Instant before = clock.instant();
		assertThat(MonotonicClock.system()).isSameAs(clock);
		assertThat(clock.instant()).isAfterOrEqualTo(before);
	}

}
