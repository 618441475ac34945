package dev.warmup.service;

import java.time.Clock;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MonotonicClockTests {

	@Test
	void itsTimeGoesOn() {
		Clock clock = new MonotonicClock();
		Instant before = clock.instant();
		assertThat(clock.instant()).isAfterOrEqualTo(before);
	}

}
