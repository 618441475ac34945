package dev.warmup.traffic;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Remembers when the last user request was here, and counts them. Thread-safe. */
public final class IdleClock {

	private final Clock clock;

	private final LongAdder entered = new LongAdder();

	private final LongAdder left = new LongAdder();

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
	 * @return the time, or empty when there was none since the start
	 */
	public Optional<Instant> lastUserRequest() {
		return this.lastUserRequest;
	}

}
