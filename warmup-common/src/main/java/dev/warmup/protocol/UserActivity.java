package dev.warmup.protocol;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Remembers when the last user request was here, and counts them. Thread-safe. */
public final class UserActivity {

	private static final long NEVER = Long.MIN_VALUE;

	private final Clock clock;

	private final LongAdder entered = new LongAdder();

	private final LongAdder left = new LongAdder();

	/**
	 * In milliseconds since the epoch: each request writes it, and an object would be
	 * garbage.
	 */
	private volatile long lastUserRequest = NEVER;

	/**
	 * Creates a clock that no user has wound yet.
	 * @param clock the source of time
	 */
	public UserActivity(Clock clock) {
		this.clock = clock;
	}

	/** Notes that a user request is here now. */
	public void wind() {
		long now = this.clock.millis();
		if (this.lastUserRequest != now) { // spares the other processors a reload
			this.lastUserRequest = now;
		}
	}

	/** Notes that a user request begins. */
	public void enter() {
		this.entered.increment();
		wind();
	}

	/** Notes that a user request that had begun is over. */
	public void leave() {
		this.left.increment();
		wind();
	}

	/**
	 * How many user requests have begun.
	 * @return their number since the start, where they are noted from begin to end
	 */
	public long entered() {
		return this.entered.sum();
	}

	/**
	 * How many user requests are here now. Of a servlet request that goes on without its
	 * thread, only the time on that thread counts.
	 * @return their number, where they are noted from begin to end
	 */
	public long present() {
		long gone = this.left.sum();
		return this.entered.sum() - gone;
	}

	/**
	 * When the last user request was here.
	 * @return the time to the millisecond, or empty when there was none since the start
	 */
	public Optional<Instant> lastUserRequest() {
		long last = this.lastUserRequest;
		return (last != NEVER) ? Optional.of(Instant.ofEpochMilli(last)) : Optional.empty();
	}

}
