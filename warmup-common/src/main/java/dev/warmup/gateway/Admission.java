package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds how many warm-up requests are in flight at once, so that instances that start
 * together do not starve users. Users come first: while more of them wait for an answer
 * than there are permits, one permit is left, without which warm-up would never end under
 * load. Users themselves are only counted.
 * <p>
 * Who finds no permit free waits for one in line, for half a second: the last byte of an
 * answer is with the sender, who sends the next request at once, before the permit is
 * back. Thread-safe.
 */
public final class Admission {

	/** How long a request waits for a permit. */
	static final Duration PATIENCE = Duration.ofMillis(500);

	/** How many wait in line; beyond, nobody waits. */
	static final int LONGEST_LINE = 100;

	private final int max;

	private final Scheduler scheduler;

	private final AtomicInteger users = new AtomicInteger();

	private final Deque<Permit> line = new ArrayDeque<>();

	private int inFlight;

	/**
	 * Creates an admission with nobody in flight.
	 * @param max how many warm-up requests may be in flight while no user waits, at least
	 * 1
	 * @param scheduler the source of time for waiting; those who waited go on there
	 */
	public Admission(int max, Scheduler scheduler) {
		if (max < 1) {
			throw new IllegalArgumentException("At least one warm-up request must be admitted: " + max);
		}
		this.max = max;
		this.scheduler = scheduler;
	}

	/**
	 * Takes a permit, or waits for one.
	 * @return the permit, which says whether the request may go on, and is to be ended
	 * when the request has; cancelled, it has ended by itself
	 */
	Mono<Permit> permit() {
		return Mono.defer(() -> {
			Permit permit = new Permit();
			Mono<Void> turn = mustWait(permit) ? permit.turn.asMono()
				.publishOn(this.scheduler)
				.timeout(PATIENCE, Mono.fromRunnable(() -> stepOut(permit)), this.scheduler) : Mono.empty();
			return turn.thenReturn(permit).doOnCancel(permit::end);
		});
	}

	private synchronized boolean mustWait(Permit permit) {
		if (this.line.isEmpty() && this.inFlight < limit()) {
			take(permit);
			return false;
		}
		return this.line.size() < LONGEST_LINE && this.line.add(permit);
	}

	private void take(Permit permit) {
		this.inFlight++;
		permit.taken = true;
	}

	private synchronized void stepOut(Permit permit) {
		this.line.remove(permit);
	}

	/** Gives a permit back, to those who wait in line first. */
	private void end(Permit permit) {
		List<Permit> next = new ArrayList<>();
		synchronized (this) {
			this.line.remove(permit);
			if (permit.taken) {
				permit.taken = false;
				this.inFlight--;
			}
			while (!this.line.isEmpty() && this.inFlight < limit()) {
				Permit first = this.line.remove();
				take(first);
				next.add(first);
			}
		}
		next.forEach((first) -> first.turn.tryEmitEmpty().orThrow());
	}

	private int limit() {
		return (this.users.get() > this.max) ? 1 : this.max;
	}

	/** How many users wait, to be kept by those who see them come and go. */
	AtomicInteger users() {
		return this.users;
	}

	/** How many permits are taken. */
	synchronized int warmupsInFlight() {
		return this.inFlight;
	}

	/** How many warm-up requests wait for a permit. */
	synchronized int warmupsWaiting() {
		return this.line.size();
	}

	/** A place in flight, or none. */
	final class Permit {

		private final Sinks.Empty<Void> turn = Sinks.empty();

		private boolean taken;

		/** Whether the request may go on; otherwise no permit became free. */
		boolean isTaken() {
			synchronized (Admission.this) {
				return this.taken;
			}
		}

		/** Gives the place back. Does nothing the second time, or where there is none. */
		void end() {
			Admission.this.end(this);
		}

	}

}
