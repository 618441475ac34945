package dev.warmup.discovery;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import com.netflix.discovery.EurekaClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Sees to it that Eureka hears of a change within seconds. The client tells it with the
 * next replication, by default within 30 s, unless it is asked to at once; and such a
 * request it drops when there were others shortly before (two at once, then four a
 * minute). So it is asked again until the change is out. After half a minute the client's
 * own replication is as fast. Thread-safe; no method blocks.
 */
final class Replication {

	private static final Logger logger = LoggerFactory.getLogger(Replication.class);

	/** Leaves the client the time to send what it was asked to by others. */
	private static final Duration FIRST_LOOK = Duration.ofMillis(300);

	private static final Duration NEXT_LOOK = Duration.ofSeconds(3);

	private static final int LOOKS = 10;

	private final ObjectProvider<EurekaClient> client;

	private final Consumer<EurekaClient> change;

	private final BooleanSupplier closing;

	private final Scheduler scheduler;

	private final AtomicInteger newest = new AtomicInteger();

	/**
	 * Creates the replication.
	 * @param client Eureka's client, looked up each time
	 * @param change makes the change, if there is one to make
	 * @param closing whether the application is going down
	 * @param scheduler where the client, which may block, is called
	 */
	Replication(ObjectProvider<EurekaClient> client, Consumer<EurekaClient> change, BooleanSupplier closing,
			Scheduler scheduler) {
		this.client = client;
		this.change = change;
		this.closing = closing;
		this.scheduler = scheduler;
	}

	/**
	 * Makes the change in the background, and looks after it in place of earlier ones.
	 */
	void start() {
		int round = this.newest.incrementAndGet();
		this.scheduler.schedule(() -> {
			attempt(this.change);
			next(round, LOOKS, FIRST_LOOK);
		});
	}

	private void next(int round, int looksLeft, Duration delay) {
		this.scheduler.schedule(() -> look(round, looksLeft), delay.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void look(int round, int looksLeft) {
		if (looksLeft == 0 || round != this.newest.get() || this.closing.getAsBoolean()) {
			return;
		}
		attempt((eureka) -> {
			this.change.accept(eureka);
			if (eureka.getApplicationInfoManager().getInfo().isDirty()) {
				eureka.registerHealthCheck(eureka.getHealthCheckHandler());
			}
		});
		next(round, looksLeft - 1, NEXT_LOOK);
	}

	/** The client may be gone at any time, and a health check may fail. */
	private void attempt(Consumer<EurekaClient> action) {
		try {
			this.client.ifUnique(action);
		}
		catch (RuntimeException ex) {
			logger.debug("Eureka's client could not be asked to tell the status", ex);
		}
	}

}
