package dev.warmup.traffic;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Remembers when the last user request was here. Thread-safe. */
public final class IdleClock {

	private final Clock clock;

	private volatile Optional<Instant> lastUserRequest = Optional.empty();

	/**
	 * Creates a clock that no user has wound yet.
	 * @param clock the source of time
	 */
	public IdleClock(Clock clock) {
		this.clock = clock;
	}

	/** Notes that a user request is here now. */
	public void wind() {
		this.lastUserRequest = Optional.of(this.clock.instant());
	}

	/**
	 * When the last user request was here.
	 * @return the time, or empty when there was none since the start
	 */
	public Optional<Instant> lastUserRequest() {
		return this.lastUserRequest;
	}

}
