package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds how many warm-up requests are in flight at once, so that instances that start
 * together do not starve users.
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

	private final Deque<Permit> queue = new ArrayDeque<>();

	private int inFlight;

	private final Map<String, Integer> inFlightByClaimant = new HashMap<>();

	/**
	 * Admits {@code max} warm-up requests, at least 1. Requests that waited continue on
	 * {@code scheduler}.
	 */
	Admission(int max, Scheduler scheduler) {
		if (max < 1) {
			throw new IllegalArgumentException("At least one warm-up request must be admitted: " + max);
		}
		this.max = max;
		this.scheduler = scheduler;
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

	/** Takes a free permit, or joins the queue unless that is full. */
	private synchronized boolean isQueued(Permit permit) {
		if (mayTake(permit)) {
			take(permit);
			return false;
		}
		return this.queue.size() < MAX_QUEUE && this.queue.add(permit);
	}

	private boolean mayTake(Permit permit) {
		return this.inFlight < this.max
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
		List<Permit> next = new ArrayList<>();
		synchronized (this) {
			this.queue.remove(permit);
			if (permit.taken) {
				permit.taken = false;
				this.inFlight--;
				this.inFlightByClaimant.computeIfPresent(permit.claimant,
						(key, count) -> (count > 1) ? count - 1 : null);
			}
			for (Permit waiting : List.copyOf(this.queue)) {
				if (mayTake(waiting)) {
					this.queue.remove(waiting);
					take(waiting);
					next.add(waiting);
				}
			}
		}
		next.forEach((first) -> first.turn.tryEmitEmpty().orThrow());
	}

	/** How many permits are taken. */
	synchronized int warmupsInFlight() {
		return this.inFlight;
	}

	/** How many warm-up requests wait for a permit. */
	synchronized int warmupsWaiting() {
		return this.queue.size();
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
