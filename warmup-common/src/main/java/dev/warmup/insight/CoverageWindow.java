package dev.warmup.insight;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Users' requests of a time. Thread-safe, and nobody who counts ever waits: what is
 * covered is told by striped counters, which miss nothing, and of what is not covered,
 * those requests that meet another at the sketch are left out of it.
 */
final class CoverageWindow {

	/** How many kinds are counted at once. */
	static final int KINDS = 256;

	private final Instant since;

	private final LongAdder requests = new LongAdder();

	private final LongAdder covered = new LongAdder();

	private final SpaceSaving<RequestKind> uncovered = new SpaceSaving<>(KINDS);

	private final ReentrantLock lock = new ReentrantLock();

	CoverageWindow(Instant since) {
		this.since = since;
	}

	Instant since() {
		return this.since;
	}

	/** Counts a request of a kind that the catalog covers. */
	void covered() {
		this.requests.increment();
		this.covered.increment();
	}

	/** Counts a request of a kind that it does not cover. */
	void uncovered(RequestKind kind) {
		this.requests.increment();
		if (this.lock.tryLock()) {
			try {
				this.uncovered.add(kind);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/** How many requests were counted. */
	long requests() {
		return this.requests.sum();
	}

	/** How many of these the catalog covered when they came. */
	long coveredThen() {
		return this.covered.sum();
	}

	/** The most frequent kinds that it did not cover when they came. */
	List<SpaceSaving.Counted<RequestKind>> uncovered() {
		this.lock.lock();
		try {
			return this.uncovered.counted();
		}
		finally {
			this.lock.unlock();
		}
	}

}
