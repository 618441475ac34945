package dev.warmup.insight;

import java.util.Optional;

/**
 * What the hungriest request asks of a pool. With <i>T</i> threads that hold <i>C</i>
 * connections each, a pool avoids deadlock from <i>T × (C − 1) + 1</i> connections on:
 * even if each thread has all but its last, one is left for some thread to go on with.
 *
 * @param pool the pool's name
 * @param size how many connections it has at the most
 * @param request the request, such as {@code orders/place}
 * @param held how many connections that held at once
 * @see <a href="https://github.com/brettwooldridge/HikariCP/wiki/About-Pool-Sizing">About
 * Pool Sizing</a>, section <i>Pool-locking</i>, the source of the formula
 */
record Demand(String pool, int size, String request, int held) {

	static final String SOURCE = "https://github.com/brettwooldridge/HikariCP/wiki/About-Pool-Sizing";

	/** How many connections do so that the threads never wait for one another. */
	long needed(int threads) {
		return (long) threads * (this.held - 1) + 1;
	}

	/** How many such requests at once the pool bears, where they hold more than one. */
	int bearable() {
		return (this.size - 1) / (this.held - 1);
	}

	/**
	 * Says how the pool can deadlock.
	 * @param threads how many requests the server works on at once; empty where threads
	 * set no bound
	 * @return a sentence, or empty when it cannot
	 */
	Optional<String> danger(Optional<Integer> threads) {
		if (this.held <= 1) {
			return Optional.empty();
		}
		if (threads.isEmpty()) {
			return Optional.of(("Pool %s can deadlock: %s holds %d connections at once; its %d are enough for %d such"
					+ " requests at a time, and no number of threads bounds these.")
				.formatted(this.pool, this.request, this.held, this.size, bearable()));
		}
		int bound = threads.get();
		return (needed(bound) <= this.size) ? Optional.empty() : Optional
			.of("Pool %s can deadlock: %s holds %d connections at once, so %d threads need %d x (%d - 1) + 1 = %d, but it has %d."
				.formatted(this.pool, this.request, this.held, bound, bound, this.held, needed(bound), this.size));
	}

}
