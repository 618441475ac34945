package dev.warmup.protocol;

import java.time.Duration;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UserActivityTests {

	private static final Duration LONG = Duration.ofSeconds(3);

	private final MutableClock clock = new MutableClock();

	private final UserActivity activity = new UserActivity(this.clock);

	@Test
	void usersAreNotOnlyThoseInFlight() {
		assertThat(this.activity.isQuietFor(LONG)).isTrue();
		this.activity.begin();
		this.clock.advance(LONG);
		assertThat(this.activity.isQuietFor(LONG)).as("in flight").isFalse();
		this.activity.end();
		assertThat(this.activity.isQuietFor(LONG)).isFalse();
		this.clock.advance(LONG);
		assertThat(this.activity.isQuietFor(LONG)).isTrue();
		assertThat(this.activity.lastUserRequest()).hasValue(MutableClock.START.plus(LONG));
	}

	@Test
	void warmupOfOtherServicesIsNotQuietAndNotOfUsers() {
		this.activity.beginWarmup();
		this.clock.advance(LONG);
		assertThat(this.activity.isQuietFor(LONG)).as("in flight").isFalse();
		this.activity.endWarmup();
		assertThat(this.activity.isQuietFor(LONG)).isFalse();
		assertThat(this.activity.isUnchangedFor(LONG)).isTrue();
		assertThat(this.activity.lastUserRequest()).isEmpty();
		this.clock.advance(LONG);
		assertThat(this.activity.isQuietFor(LONG)).isTrue();
	}

}
