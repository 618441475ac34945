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

	private final Deque<Sinks.One<Boolean>> line = new ArrayDeque<>();

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
	 * @return {@code true} if the request may go on, and {@link #warmupEnded()} must
	 * follow once; {@code false} if no permit became free. Cancelled, it takes none.
	 */
	Mono<Boolean> permit() {
		return Mono.defer(() -> {
			Sinks.One<Boolean> turn = Sinks.one();
			synchronized (this) {
				if (this.line.isEmpty() && this.inFlight < limit()) {
					this.inFlight++;
					return Mono.just(true);
				}
				if (this.line.size() >= LONGEST_LINE) {
					return Mono.just(false);
				}
				this.line.add(turn);
			}
			return turn.asMono()
				.publishOn(this.scheduler)
				.timeout(PATIENCE, Mono.fromSupplier(() -> !stepOut(turn)), this.scheduler)
				.doOnCancel(() -> {
					if (!stepOut(turn)) {
						warmupEnded();
					}
				});
		});
	}

	/** Leaves the line; {@code false} if a permit was handed over before. */
	private synchronized boolean stepOut(Sinks.One<Boolean> turn) {
		return this.line.remove(turn);
	}

	/** Gives a permit back, to those who wait in line first. */
	void warmupEnded() {
		List<Sinks.One<Boolean>> next = new ArrayList<>();
		synchronized (this) {
			this.inFlight--;
			while (!this.line.isEmpty() && this.inFlight < limit()) {
				this.inFlight++;
				next.add(this.line.remove());
			}
		}
		next.forEach((turn) -> turn.tryEmitValue(true).orThrow());
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

}
