package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Allows so many things a second, and some more after a pause. Thread-safe. */
final class TokenBucket {

	private final double perSecond;

	private final int burst;

	private final Clock clock;

	private double left;

	private Instant filled;

	/** Creates a full bucket. */
	TokenBucket(double perSecond, int burst, Clock clock) {
		this.perSecond = perSecond;
		this.burst = burst;
		this.clock = clock;
		this.left = burst;
		this.filled = clock.instant();
	}

	/** Tells whether one more is allowed now, and counts it if so. */
	synchronized boolean take() {
		Instant now = this.clock.instant();
		Duration passed = Duration.between(this.filled, now);
		if (!passed.isNegative()) {
			this.left = Math.min(this.burst, this.left + this.perSecond * passed.toNanos() / 1e9);
		}
		this.filled = now;
		if (this.left < 1) {
			return false;
		}
		this.left--;
		return true;
	}

}
