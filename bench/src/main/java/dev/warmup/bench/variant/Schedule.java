package dev.warmup.bench.variant;

import java.time.Duration;

/**
 * When mittens sends: each of its workers waits, sends, waits for the answer, and begins
 * again.
 *
 * @param workers how many of them there are
 * @param delay how long each waits before it sends; positive
 * @param length how long they go on
 */
record Schedule(int workers, Duration delay, Duration length) {

	/** What mittens does unless told otherwise. */
	static final Schedule DEFAULT = new Schedule(2, Duration.ofMillis(500), Duration.ofSeconds(30));

	/** Checks what it is given. */
	Schedule {
		if (workers < 1 || delay.isNegative() || delay.isZero() || length.isNegative()) {
			throw new IllegalArgumentException("no schedule: %s workers, %s, %s".formatted(workers, delay, length));
		}
	}

	/**
	 * Whether a worker takes another request. The next one is handed out as soon as this
	 * one is taken, hence one is still sent after the end.
	 * @param taken when it took its last request, since the beginning
	 * @return whether there is another
	 */
	boolean goesOn(Duration taken) {
		return taken.compareTo(this.length) < 0;
	}

	/**
	 * How long it takes if the last answers never come.
	 * @param timeout how long an answer is waited for
	 * @return the upper limit: a worker that took a request just before the end sends
	 * that and one more
	 */
	Duration longest(Duration timeout) {
		return this.length.plus(this.delay.plus(timeout).multipliedBy(2));
	}

}
