package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds how many warm-up requests are in flight at once, so that instances that start
 * together do not starve users. Users come first: while more of them wait for a response
 * than there are permits, warm-up has one permit, without which it would never end under
 * load. Users themselves are only counted, each for a second at most: a user who waits
 * longer, as in a long poll, is waiting for an event.
 * <p>
 * One claimant leaves a permit to the others, where there are several. A request that
 * finds no free permit queues for half a second: a sender that has received the last byte
 * of a response sends its next request before the permit of the previous one is released.
 * Thread-safe.
 */
final class Admission {

	/** How long a request waits for a permit. */
	static final Duration MAX_WAIT = Duration.ofMillis(500);

	/** How many requests may wait; further ones get no permit. */
	static final int MAX_QUEUE = 100;

	private final int max;

	private final Scheduler scheduler;

	private final LongSupplier nanoTime;

	/** The users who came last, and those before them. */
	private volatile Arrivals latest;

	private volatile Arrivals previous;

	private final Deque<Permit> queue = new ArrayDeque<>();

	private int inFlight;

	private final Map<String, Integer> inFlightByClaimant = new HashMap<>();

	/**
	 * Admits {@code max} warm-up requests, at least 1, while few users wait. Requests
	 * that waited continue on {@code scheduler}; {@code nanoTime} is monotonic.
	 */
	Admission(int max, Scheduler scheduler, LongSupplier nanoTime) {
		if (max < 1) {
			throw new IllegalArgumentException("At least one warm-up request must be admitted: " + max);
		}
		this.max = max;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
		this.latest = new Arrivals(now());
		this.previous = new Arrivals(now());
	}

	/**
	 * Takes a permit for a claimant, or waits for one. Returns it, taken or not; it ends
	 * with the request, or when this is canceled.
	 */
	Mono<Permit> permit(String claimant) {
		return Mono.defer(() -> {
			Permit permit = new Permit(claimant);
			Mono<Void> turn = isQueued(permit) ? permit.turn.asMono()
				.publishOn(this.scheduler)
				.timeout(MAX_WAIT, Mono.fromRunnable(() -> leaveQueue(permit)), this.scheduler) : Mono.empty();
			return turn.thenReturn(permit).doOnCancel(permit::end);
		});
	}

	/** Takes its turn behind those that wait, some of which may by now proceed. */
	private boolean isQueued(Permit permit) {
		List<Permit> next;
		boolean queued;
		synchronized (this) {
			this.queue.add(permit);
			next = takeTurns();
			queued = !permit.taken && this.queue.size() <= MAX_QUEUE;
			if (!queued) {
				this.queue.remove(permit);
			}
		}
		proceed(next);
		return queued;
	}

	private List<Permit> takeTurns() {
		List<Permit> next = new ArrayList<>();
		for (Permit waiting : List.copyOf(this.queue)) {
			if (mayTake(waiting)) {
				this.queue.remove(waiting);
				take(waiting);
				next.add(waiting);
			}
		}
		return next;
	}

	private static void proceed(List<Permit> next) {
		next.forEach((first) -> first.turn.tryEmitEmpty().orThrow());
	}

	private boolean mayTake(Permit permit) {
		int limit = (usersWaiting() > this.max) ? 1 : this.max;
		return this.inFlight < limit
				&& this.inFlightByClaimant.getOrDefault(permit.claimant, 0) < Math.max(1, this.max - 1);
	}

	private void take(Permit permit) {
		this.inFlight++;
		this.inFlightByClaimant.merge(permit.claimant, 1, Integer::sum);
		permit.taken = true;
	}

	private synchronized void leaveQueue(Permit permit) {
		this.queue.remove(permit);
	}

	/** Releases a permit, to the requests that wait first. */
	private void end(Permit permit) {
		List<Permit> next;
		synchronized (this) {
			this.queue.remove(permit);
			if (permit.taken) {
				permit.taken = false;
				this.inFlight--;
				this.inFlightByClaimant.computeIfPresent(permit.claimant,
						(key, count) -> (count > 1) ? count - 1 : null);
			}
			next = takeTurns();
		}
		proceed(next);
	}

	/** A user waits for a response; {@link Arrivals#oneAnswered} must follow. */
	Arrivals userArrived() {
		long now = now();
		Arrivals arrivals = this.latest.isClosed(now) ? next(now) : this.latest;
		arrivals.waiting.incrementAndGet();
		return arrivals;
	}

	private synchronized Arrivals next(long now) {
		if (this.latest.isClosed(now)) {
			this.previous = this.latest;
			this.latest = new Arrivals(now);
		}
		return this.latest;
	}

	/** How many users wait for a response, of those who came lately. */
	int usersWaiting() {
		long now = now();
		return this.previous.count(now) + this.latest.count(now);
	}

	private long now() {
		return TimeUnit.NANOSECONDS.toMillis(this.nanoTime.getAsLong());
	}

	/** How many permits are taken. */
	synchronized int warmupsInFlight() {
		return this.inFlight;
	}

	/** How many warm-up requests wait for a permit. */
	synchronized int warmupsWaiting() {
		return this.queue.size();
	}

	/**
	 * Users who came within half a second. They count for half a second after that, all
	 * together: a timer for each would cost more than the rest of what a user costs.
	 */
	static final class Arrivals {

		private static final Duration OPEN = Duration.ofMillis(500);

		/** For requests that are not users' and are not counted. */
		static final Arrivals NOBODY = new Arrivals(0);

		private final long since;

		private final AtomicInteger waiting = new AtomicInteger();

		Arrivals(long since) {
			this.since = since;
		}

		private boolean isClosed(long now) {
			return now - this.since >= OPEN.toMillis();
		}

		private int count(long now) {
			return (now - this.since < 2 * OPEN.toMillis()) ? this.waiting.get() : 0;
		}

		/** The response to one of them has begun. */
		void oneAnswered() {
			this.waiting.decrementAndGet();
		}

	}

	/** The permission to be in flight, if it was granted. */
	final class Permit {

		private final Sinks.Empty<Void> turn = Sinks.empty();

		private final String claimant;

		private boolean taken;

		Permit(String claimant) {
			this.claimant = claimant;
		}

		/** Whether the request may proceed; otherwise no permit became free in time. */
		boolean isTaken() {
			synchronized (Admission.this) {
				return this.taken;
			}
		}

		/**
		 * Releases the permit. Has no effect the second time, or where none was granted.
		 */
		void end() {
			Admission.this.end(this);
		}

	}

}
