package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When an idle instance is warmed again.
 *
 * @param after how long an instance must have been without users and without a run; zero
 * means never
 * @param checkEvery how often the idle time is checked
 * @param delay how long this instance waits: {@code after} and its jitter, so that a
 * fleet does not run all at once
 */
public record IdleSchedule(Duration after, Duration checkEvery, Duration delay) {

	private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);

	/**
	 * How often to look: {@code checkEvery}, or a quarter of {@code after} where that is
	 * less, so that a short {@code after} is kept.
	 */
	public Duration period() {
		Duration quarter = this.after.dividedBy(4);
		if (this.after.isZero() || this.checkEvery.compareTo(quarter) <= 0) {
			return this.checkEvery;
		}
		return (quarter.compareTo(SHORTEST_PERIOD) < 0) ? SHORTEST_PERIOD : quarter;
	}

	/**
	 * When the next run is due without users before; empty for never.
	 * @param activity when users and runs were last here; without any, nothing is due
	 */
	public Optional<Instant> next(Stream<Instant> activity) {
		return this.after.isZero() ? Optional.empty()
				: activity.max(Comparator.naturalOrder()).map((last) -> last.plus(this.delay));
	}

	/**
	 * For how long an instance must be idle, zero for never, when its last user request
	 * began or ended, and when the next run is due if no user comes before.
	 */
	public record Status(Duration after, Optional<Instant> lastUserRequest, Optional<Instant> next) {

	}

}
