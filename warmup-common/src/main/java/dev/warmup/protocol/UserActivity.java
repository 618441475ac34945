package dev.warmup.protocol;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** When the last user request was served, and how many are in flight. Thread-safe. */
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

	/**
	 * Creates the activity before the first user.
	 * @param clock the source of time
	 */
	public UserActivity(Clock clock) {
		this.clock = clock;
	}

	/** Notes user activity now. */
	public void touch() {
		long now = this.clock.millis();
		if (this.lastUserRequest != now) { // saves the other processors a reload
			this.lastUserRequest = now;
		}
	}

	/** Notes that a user request begins. */
	public void begin() {
		this.begun.increment();
		touch();
	}

	/** Notes that a user request that had begun is over. */
	public void end() {
		this.ended.increment();
		touch();
	}

	/**
	 * How many user requests have begun.
	 * @return their number since the start, where they are noted from begin to end
	 */
	public long begun() {
		return this.begun.sum();
	}

	/**
	 * How many user requests are in flight. Of a servlet request that goes on without its
	 * thread, only the time on that thread counts.
	 * @return their number, where they are noted from begin to end
	 */
	public long inFlight() {
		long over = this.ended.sum();
		return this.begun.sum() - over;
	}

	/**
	 * When the last user request began or ended.
	 * @return the time to the millisecond, or empty when there was none since the start
	 */
	public Optional<Instant> lastUserRequest() {
		long last = this.lastUserRequest;
		return (last != NEVER) ? Optional.of(Instant.ofEpochMilli(last)) : Optional.empty();
	}

}
