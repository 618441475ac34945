package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MonotonicClockTests {

	@Test
	void thatOfTheSystemIsOneForAll() {
		assertThat(MonotonicClock.system()).isSameAs(MonotonicClock.system());
	}

	@Test
	void timeGoesOnAsMeasuredFromTheStart() {
		Instant start = Instant.parse("2026-01-01T00:00:00Z");
		AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);
		MonotonicClock clock = new MonotonicClock(start, nanoTime::get);
		assertThat(clock.instant()).isEqualTo(start);
		nanoTime.addAndGet(Duration.ofHours(2).toNanos()); // overflows, as it may
		assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofHours(2)));
	}

}
