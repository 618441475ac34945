package dev.warmup.insight;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import dev.warmup.protocol.UserActivity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at pools again and again, on a thread of its own: often while one request is
 * alone in flight, seldom else.
 */
final class Sampler {

	/** A cold request takes some milliseconds, so that it is looked at several times. */
	static final Duration OFTEN = Duration.ofNanos(250_000);

	/** Who waits for a connection for less is not worth a word. */
	static final Duration SELDOM = Duration.ofMillis(10);

	private static final Logger logger = LoggerFactory.getLogger(Sampler.class);

	private final List<PoolGauge> pools;

	private final UserActivity users;

	private final Map<PoolGauge, Integer> pending = new ConcurrentHashMap<>();

	private volatile ConnectionWindow window;

	private volatile Duration pause = OFTEN;

	private volatile boolean stopped;

	Sampler(List<PoolGauge> pools, UserActivity users) {
		this.pools = List.copyOf(pools);
		this.users = users;
		this.window = new ConnectionWindow(users);
	}

	void start() {
		Thread thread = new Thread(this::watch, "warmup-pools");
		thread.setDaemon(true);
		thread.start();
	}

	private void watch() {
		try {
			while (!this.stopped) {
				look();
				LockSupport.parkNanos(this.pause.toNanos());
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Pools are no longer watched in this run: {}", ex.toString());
		}
	}

	/** Takes one sample of each pool. */
	void look() {
		ConnectionWindow now = this.window;
		for (PoolGauge pool : this.pools) {
			int active = pool.active();
			now.see(pool, active);
			int waiting = pool.pending();
			// One that is being handed over counts as waiting for a moment.
			if (waiting > 0 && active >= pool.max()) {
				this.pending.merge(pool, waiting, Math::max);
			}
		}
	}

	/** Ends the window of one request and begins the next one's. */
	ConnectionWindow next() {
		ConnectionWindow ended = this.window;
		this.window = new ConnectionWindow(this.users);
		return ended;
	}

	/** From now on no request is alone. */
	void slowDown() {
		this.pause = SELDOM;
	}

	/** The most that were seen waiting for the pool at once. */
	int pending(PoolGauge pool) {
		return this.pending.getOrDefault(pool, 0);
	}

	void stop() {
		this.stopped = true;
	}

}
