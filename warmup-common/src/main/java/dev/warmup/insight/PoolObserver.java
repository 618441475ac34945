package dev.warmup.insight;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.warmup.protocol.UserActivity;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how many pooled connections each request holds at once: the peak of those in use
 * while it is alone in flight. Neither HikariCP nor r2dbc-pool counts that peak, and the
 * one hook of HikariCP for it belongs to the application's metrics; so a thread looks
 * every quarter of a millisecond, in the first round only, where requests are cold and
 * slow. Its limits: a hold that is shorter may be missed, so that the number is a lower
 * bound and no number does not mean none; what the application takes meanwhile without a
 * request, such as for a schedule or a health check, is counted; and while a user is
 * there, nothing is. For who waits for a connection it goes on to look every 10 ms.
 */
public final class PoolObserver implements RunListener {

	private static final Logger logger = LoggerFactory.getLogger(PoolObserver.class);

	private final Supplier<List<PoolSource>> sources;

	private final UserActivity users;

	private final Optional<Integer> threads;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a watch.
	 * @param sources find the pools, asked for when a run begins
	 * @param users tells when users are there
	 * @param threads how many requests the server works on at once; empty where that is
	 * not bound by threads, as in a reactive server
	 */
	public PoolObserver(Supplier<List<PoolSource>> sources, UserActivity users, Optional<Integer> threads) {
		this.sources = sources;
		this.users = users;
		this.threads = threads;
	}

	/**
	 * How many requests the server works on at once.
	 * @return the number of its threads, or empty where they set no bound
	 */
	public Optional<Integer> threads() {
		return this.threads;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		List<PoolGauge> pools = this.sources.get().stream().flatMap((source) -> source.pools().stream()).toList();
		if (pools.isEmpty()) {
			return Observation.NONE;
		}
		Sampler sampler = new Sampler(pools, this.users);
		sampler.start();
		return new PoolObservation(pools, sampler, recorder, this.threads, this::warn);
	}

	/** Once, however many runs find the same. */
	private void warn(String danger) {
		if (this.warned.add(danger)) {
			logger.warn("{} See {}", danger, Demand.SOURCE);
		}
	}

}
