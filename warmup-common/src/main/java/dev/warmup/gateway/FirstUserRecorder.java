package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;

import dev.warmup.protocol.Instance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Tells the fleet of users on a thread of its own, as each waits for the first byte of
 * the answer. Warm-up, which comes before, comes this way too, and nobody is told of it.
 * There are no lambdas here, which would be made while the first user waits. Thread-safe.
 */
final class FirstUserRecorder {

	private static final Logger logger = LoggerFactory.getLogger(FirstUserRecorder.class);

	private final Fleet fleet;

	private final List<GatewayListener> listeners;

	/** One thread, so that the first user is told of first. */
	private final Scheduler.Worker worker = Schedulers.parallel().createWorker();

	FirstUserRecorder(Fleet fleet, List<GatewayListener> listeners) {
		this.fleet = fleet;
		this.listeners = listeners;
	}

	/**
	 * Tells of a request, some time later.
	 * @param answered who answered a user; {@code null} for warm-up
	 * @param route the route's id
	 * @param latency how long it took until the answer began
	 */
	void tell(@Nullable Instance answered, String route, Duration latency) {
		this.worker.schedule(new Telling(answered, route, latency));
	}

	private final class Telling implements Runnable {

		private final @Nullable Instance answered;

		private final String route;

		private final Duration latency;

		Telling(@Nullable Instance answered, String route, Duration latency) {
			this.answered = answered;
			this.route = route;
			this.latency = latency;
		}

		@Override
		public void run() {
			if (this.answered == null) {
				return;
			}
			try {
				FirstUserRecorder.this.fleet.userAnswered(this.answered, this.route, this.latency,
						FirstUserRecorder.this.listeners);
			}
			catch (RuntimeException ex) {
				logger.warn("A request could not be noted", ex);
			}
		}

	}

}
