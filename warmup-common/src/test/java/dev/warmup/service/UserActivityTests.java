package dev.warmup.service;

import java.time.Duration;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UserActivityTests {

	@Test
	void theLastOfSeveralCounts() {
		MutableClock clock = new MutableClock();
		UserActivity users = new UserActivity(clock);
		assertThat(users.last()).isEmpty();
		users.touch();
		clock.advance(Duration.ofMinutes(1));
		assertThat(users.last()).hasValue(MutableClock.START);
		users.touch();
		assertThat(users.last()).hasValue(MutableClock.START.plusSeconds(60));
	}

}
