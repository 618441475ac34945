package dev.warmup.loadbalancer;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many users one new instance gets while it is still slower than its siblings.
 * <p>
 * A cold JVM gets faster only by serving requests, and the users it serves wait for it.
 * Its weight is {@code 1 / ratio²} of its latency to its siblings' on the same routes: so
 * much that the mean latency of users rises by no more than a quarter of what one
 * instance serves, however slow it is, since {@code (ratio - 1) / ratio²} is at most 1/4.
 * It never falls below a floor that grows with age. Age alone, as in Envoy's <a href=
 * "https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/slow_start">slow
 * start</a> and in the dynamic degradation of LinkedIn's D2, does not see how slow an
 * instance is; latency alone can starve one whose first answers were slow, or oscillate
 * (apache/brpc#3526).
 * <p>
 * Besides, no more than a number of users wait for it at once: one at first, twice as
 * many while it is at most twice as slow as its siblings, half as many while it is not. A
 * user counts for five seconds: a long poll must not occupy the slots of all others, and
 * an instance that hangs gets no more than one user in that time. Not thread-safe.
 */
final class Ramp {

	/** A full member is at most so much slower than its siblings. */
	static final double FULL_RATIO = 1.2;

	/** So many answers are needed to become one before the window ends. */
	static final int FULL_AFTER = 50;

	private static final double GOOD_RATIO = 2;

	private static final double FIRST_FLOOR = 0.05;

	private static final double LAST_FLOOR = 0.25;

	/** After so many answers, the limit changes. */
	private static final int ANSWERS_PER_LIMIT = 5;

	private static final int MAX_LIMIT = 1024;

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

	/** What an answer counts that failed, also a sibling's: slower than any. */
	static final Duration FAILED = Duration.ofMinutes(1);

	private final Instant since;

	private final Duration window;

	private final LastLatencies latencies = new LastLatencies();

	private long answers;

	private OptionalDouble ratio = OptionalDouble.empty();

	private int limit = 1;

	/** When each user came that waits, the first one first. */
	private final Map<Object, Instant> waiting = new LinkedHashMap<>();

	/** Starts with the least weight; the window is how long it lasts at most. */
	Ramp(Instant since, Duration window) {
		this.since = since;
		this.window = window;
	}

	/** Whether the instance is a full member. */
	boolean isOver(Instant now) {
		return !now.isBefore(this.since.plus(this.window))
				|| (this.answers >= FULL_AFTER && this.ratio.orElse(Double.MAX_VALUE) <= FULL_RATIO);
	}

	/** The instance's weight, where a full member has 1. */
	double weight(Instant now) {
		if (isOver(now)) {
			return 1;
		}
		double age = (double) Duration.between(this.since, now).toNanos() / this.window.toNanos();
		double floor = FIRST_FLOOR + (LAST_FLOOR - FIRST_FLOOR) * Math.max(0, age);
		double slower = Math.max(1, this.ratio.orElse(Double.MAX_VALUE));
		return Math.max(floor, 1 / (slower * slower));
	}

	/**
	 * Whether the next user may go to the instance.
	 * @param random from 0 up to 1
	 */
	boolean admits(Instant now, double random) {
		return isOver(now) || (waiting(now) < this.limit && random < weight(now));
	}

	private int waiting(Instant now) {
		Iterator<Instant> since = this.waiting.values().iterator();
		while (since.hasNext() && !now.isBefore(since.next().plus(LONGEST_WAIT))) {
			since.remove();
		}
		return this.waiting.size();
	}

	/** A user waits for an answer of the instance. */
	void begun(Object user, Instant now) {
		this.waiting.put(user, now);
	}

	/** A user no longer waits. */
	void ended(Object user) {
		this.waiting.remove(user);
	}

	/**
	 * The instance answered a user.
	 * @param siblings the latencies of its siblings
	 */
	void answered(String route, Duration latency, LastLatencies siblings) {
		if (!this.latencies.add(route, latency)) {
			return;
		}
		this.answers++;
		this.ratio = ratio(siblings);
		if (this.ratio.isPresent() && this.answers % ANSWERS_PER_LIMIT == 0) {
			this.limit = (this.ratio.getAsDouble() <= GOOD_RATIO) ? Math.min(2 * this.limit, MAX_LIMIT)
					: Math.max(1, this.limit / 2);
		}
	}

	/** The geometric mean over routes, by how many answers each has. */
	private OptionalDouble ratio(LastLatencies siblings) {
		double sum = 0;
		int count = 0;
		for (String route : this.latencies.routes()) {
			OptionalDouble others = siblings.median(route);
			OptionalDouble own = this.latencies.median(route);
			if (others.isPresent() && own.isPresent()) {
				int size = this.latencies.size(route);
				sum += size * Math.log(own.getAsDouble() / Math.max(1, others.getAsDouble()));
				count += size;
			}
		}
		return (count > 0) ? OptionalDouble.of(Math.exp(sum / count)) : OptionalDouble.empty();
	}

}
