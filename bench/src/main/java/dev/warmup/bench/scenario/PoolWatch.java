package dev.warmup.bench.scenario;

import java.io.UncheckedIOException;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

import com.jayway.jsonpath.JsonPathException;
import dev.warmup.bench.stack.Answer;

/**
 * Asks five times a second how many requests wait for a connection of the service's pool,
 * and keeps the highest number.
 */
final class PoolWatch {

	/** Where the service tells that number. */
	static final String PENDING = "/actuator/metrics/r2dbc.pool.pending";

	private static final long PERIOD = 200;

	private final Thread thread;

	private volatile OptionalDouble highest = OptionalDouble.empty();

	private PoolWatch(String url) {
		this.thread = new Thread(() -> watch(url), "pool-watch");
		this.thread.setDaemon(true);
	}

	/**
	 * Begins to ask.
	 * @param url the metric at the service
	 * @return the running watch
	 */
	static PoolWatch start(String url) {
		PoolWatch watch = new PoolWatch(url);
		watch.thread.start();
		return watch;
	}

	private void watch(String url) {
		try {
			while (true) {
				ask(url);
				TimeUnit.MILLISECONDS.sleep(PERIOD);
			}
		}
		catch (InterruptedException | IllegalStateException ex) {
			// stopped while it slept, or while it asked
		}
	}

	private void ask(String url) {
		try {
			Answer answer = Answer.to("GET", url);
			if (answer.status() == 200) {
				double pending = answer.<Number>read("$.measurements[0].value").doubleValue();
				this.highest = OptionalDouble.of(Math.max(pending, this.highest.orElse(0)));
			}
		}
		catch (UncheckedIOException | JsonPathException ex) {
			// one look less
		}
	}

	/**
	 * What was seen so far.
	 * @return the highest number; empty when the service has not told
	 */
	OptionalDouble highest() {
		return this.highest;
	}

	/** Asks no more. */
	void stop() {
		this.thread.interrupt();
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(5));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
