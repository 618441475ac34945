package dev.warmup.protocol;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests, and records the time of the last user request. Warm-up of other
 * services uses this one as users do, but is no reason to take it for used: two services
 * of which one calls the other would otherwise keep each other from being warmed when
 * idle. Thread-safe.
 */
public final class UserActivity {

	private static final long NEVER = Long.MIN_VALUE;

	private final Clock clock;

	private final LongAdder begun = new LongAdder();

	private final LongAdder ended = new LongAdder();

	/**
	 * In milliseconds since the epoch: each request writes it, and an object would be
	 * garbage.
	 */
	private volatile long lastUserRequest = NEVER;

	/** When warm-up of another service last began or ended here, likewise. */
	private volatile long lastWarmup = NEVER;

	public UserActivity(Clock clock) {
		this.clock = clock;
	}

	/** Records the present time as that of the last user request. */
	public void touch() {
		long now = this.clock.millis();
		if (this.lastUserRequest != now) { // a write would invalidate other caches
			this.lastUserRequest = now;
		}
	}

	/** Records that a user request begins. */
	public void begin() {
		this.begun.increment();
		touch();
	}

	/** Records that a user request that had begun has ended. */
	public void end() {
		this.ended.increment();
		touch();
	}

	/** Records that a warm-up request of another service begins. */
	public void beginWarmup() {
		this.begun.increment();
		this.lastWarmup = this.clock.millis();
	}

	/** Records that a warm-up request of another service that had begun has ended. */
	public void endWarmup() {
		this.ended.increment();
		this.lastWarmup = this.clock.millis();
	}

	/**
	 * How many requests of users and of other services' warm-up have begun since the
	 * start; one recorded by {@link #touch()} alone does not count.
	 */
	public long begun() {
		return this.begun.sum();
	}

	/**
	 * How many requests of users and of other services' warm-up have begun and not ended;
	 * one recorded by {@link #touch()} alone does not count. An asynchronous servlet
	 * request counts until it is complete.
	 */
	public long inFlight() {
		long gone = this.ended.sum();
		return this.begun.sum() - gone;
	}

	/**
	 * Whether no request of users or of other services' warm-up is in flight, and none
	 * has begun or ended for a while, to the millisecond; also before the first.
	 */
	public boolean isQuietFor(Duration duration) {
		return inFlight() <= 0 && isUnchangedFor(duration) && isOver(this.lastWarmup, duration);
	}

	/** Whether no user request has begun or ended for a while, to the millisecond. */
	public boolean isUnchangedFor(Duration duration) {
		return isOver(this.lastUserRequest, duration);
	}

	private boolean isOver(long last, Duration duration) {
		return last == NEVER || this.clock.millis() - last >= duration.toMillis();
	}

	/**
	 * When a user request last began, ended or was recorded, to the millisecond; empty
	 * when there was none since the start.
	 */
	public Optional<Instant> lastUserRequest() {
		long last = this.lastUserRequest;
		return (last != NEVER) ? Optional.of(Instant.ofEpochMilli(last)) : Optional.empty();
	}

}
