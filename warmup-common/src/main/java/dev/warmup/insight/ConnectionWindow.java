package dev.warmup.insight;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.protocol.UserActivity;

/**
 * The time in which one request is alone in flight. What was in use when it began counts
 * only once it was given back: it may belong to the request before. Thread-safe.
 */
final class ConnectionWindow {

	private final UserActivity users;

	private final long entered;

	private final boolean empty;

	private final Map<PoolGauge, Integer> peaks = new ConcurrentHashMap<>();

	ConnectionWindow(UserActivity users) {
		this.users = users;
		this.entered = users.begun();
		this.empty = users.inFlight() == 0;
	}

	void see(PoolGauge pool, int active) {
		if (active == 0) {
			this.peaks.putIfAbsent(pool, 0);
		}
		else {
			this.peaks.computeIfPresent(pool, (same, peak) -> Math.max(peak, active));
		}
	}

	/**
	 * The most that was seen in use at once.
	 * @return empty where nothing was seen in use, which is no proof that nothing was, or
	 * where a user was there too, so that nobody knows whose it was
	 */
	Optional<Integer> peak(PoolGauge pool) {
		return (this.empty && this.users.begun() == this.entered)
				? Optional.ofNullable(this.peaks.get(pool)).filter((peak) -> peak > 0) : Optional.empty();
	}

}
