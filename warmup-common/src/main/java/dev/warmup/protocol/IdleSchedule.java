package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When an idle instance is warmed again.
 *
 * @param after how long it must have been without users and without a run; zero means
 * never
 * @param checkEvery how often the idle time is checked
 * @param jitter by how much longer, as a share of {@code after} from 0 to 1, an instance
 * waits at random, so that a fleet does not run all at once
 */
public record IdleSchedule(Duration after, Duration checkEvery, double jitter) {

	private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);

	/**
	 * How often to look: {@code checkEvery}, or a quarter of {@code after} where that is
	 * less, so that a short {@code after} is kept.
	 */
	public Duration period() {
		Duration quarter = this.after.dividedBy(4);
		if (isNever() || this.checkEvery.compareTo(quarter) <= 0) {
			return this.checkEvery;
		}
		return (quarter.compareTo(SHORTEST_PERIOD) < 0) ? SHORTEST_PERIOD : quarter;
	}

	/** Whether idle instances are left alone. */
	public boolean isNever() {
		return this.after.isZero();
	}

	/**
	 * When an idle instance is warmed again.
	 *
	 * @param after how long it must be idle; zero means never
	 * @param lastUserRequest when the last user request began or ended
	 * @param next when the next run is due without users before
	 */
	public record Status(Duration after, Optional<Instant> lastUserRequest, Optional<Instant> next) {

	}

}
