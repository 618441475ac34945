package dev.warmup.service;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Records when a user's request last began. Thread-safe. */
public final class UserActivity {

	private static final long NEVER = Long.MIN_VALUE;

	private final Clock clock;

	/** In milliseconds since the epoch: a primitive, because every request writes it. */
	private volatile long last = NEVER;

	public UserActivity(Clock clock) {
		this.clock = clock;
	}

	/** Records the present time. */
	public void touch() {
		this.last = this.clock.millis();
	}

	/** To the millisecond; empty before the first. */
	public Optional<Instant> last() {
		long time = this.last;
		return (time != NEVER) ? Optional.of(Instant.ofEpochMilli(time)) : Optional.empty();
	}

}
