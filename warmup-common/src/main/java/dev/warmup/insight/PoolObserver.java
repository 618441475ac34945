package dev.warmup.insight;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.warmup.protocol.UserActivity;
import dev.warmup.run.Outcome;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Reports how many pooled connections each request holds at once, which pool can deadlock
 * because of that, which pool callers waited for, and which pool leaves connections for
 * the first burst to open.
 * <p>
 * How many a request holds is read from the pool's own metrics every millisecond of the
 * first round, in which requests are alone in flight, cold, and slow. A shorter hold may
 * be missed. What the application takes meanwhile without a request, such as for a health
 * check, is counted; while a user is there, nothing is. Whether a request waits for one
 * connection while it holds another, or takes them side by side, the metrics do not show.
 */
final class PoolObserver implements RunListener {

	/** The source of the formula for the size from which on a pool cannot deadlock. */
	static final String SOURCE = "https://github.com/brettwooldridge/HikariCP/wiki/About-Pool-Sizing";

	private static final Logger logger = LoggerFactory.getLogger(PoolObserver.class);

	private static final Duration WHILE_ALONE = Duration.ofMillis(1);

	/** A caller that waits for less is not worth reporting. */
	private static final Duration LATER = Duration.ofMillis(10);

	private final Supplier<List<Source>> sources;

	private final UserActivity users;

	private final Optional<Integer> threads;

	private final Scheduler scheduler;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Creates an observer.
	 * @param sources find the pools, called when a run begins
	 * @param threads how many requests the server handles at once; empty where threads
	 * set no bound, as in a reactive server
	 */
	PoolObserver(Supplier<List<Source>> sources, UserActivity users, Optional<Integer> threads, Scheduler scheduler) {
		this.sources = sources;
		this.users = users;
		this.threads = threads;
		this.scheduler = scheduler;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		List<Pool> pools = this.sources.get().stream().flatMap((source) -> source.pools().stream()).toList();
		if (pools.isEmpty()) {
			return Observation.NONE;
		}
		return new PoolObservation(pools, recorder);
	}

	/** Finds the application's connection pools of one kind. */
	@FunctionalInterface
	interface Source {

		/** Finds the pools, each once, as a run begins. May block. */
		List<Pool> pools();

	}

	/**
	 * A pool of connections, by its own metrics. All of them are 0 for a pool that has
	 * not been used yet.
	 *
	 * @param name its name in the log and in the report
	 * @param active how many connections are in use
	 * @param pending how many callers wait for a connection
	 * @param open how many connections are open, in use or not
	 * @param max how many connections there can be at most
	 * @param minimum the pool's property for how many connections it keeps open, such as
	 * {@code minimumIdle}
	 */
	record Pool(String name, IntSupplier active, IntSupplier pending, IntSupplier open, int max, String minimum) {

	}

	/** What one run shows of the pools. */
	private final class PoolObservation implements Observation {

		private final List<Pool> pools;

		private final RunRecorder recorder;

		private final Disposable.Swap reading = Disposables.swap();

		private final Map<Pool, Integer> mostPending = new ConcurrentHashMap<>();

		private final Map<Pool, Holder> mostHeld = new LinkedHashMap<>();

		private volatile Window window = new Window(PoolObserver.this.users);

		PoolObservation(List<Pool> pools, RunRecorder recorder) {
			this.pools = pools;
			this.recorder = recorder;
		}

		void readEvery(Duration period) {
			this.reading.update(PoolObserver.this.scheduler.schedulePeriodically(this::read, 0, period.toNanos(),
					TimeUnit.NANOSECONDS));
		}

		private void read() {
			try {
				for (Pool pool : this.pools) {
					int active = pool.active().getAsInt();
					this.window.see(pool, active);
					int pending = pool.pending().getAsInt();
					boolean handing = active < pool.max(); // a connection to the caller
					if (pending > 0 && !handing) {
						this.mostPending.merge(pool, pending, Math::max);
					}
				}
			}
			catch (RuntimeException ex) {
				this.reading.dispose();
				logger.warn("Connection pools are no longer observed in this run", ex);
			}
		}

		@Override
		public void attempt() {
			next();
			if (this.reading.get() == null) { // the first
				readEvery(WHILE_ALONE);
			}
		}

		@Override
		public void alone(Outcome outcome) {
			Window ended = next();
			if (outcome instanceof Outcome.Answered) {
				this.pools.forEach((pool) -> ended.peak(pool).ifPresent((held) -> {
					this.recorder.connections(outcome.scenario(), outcome.request(), held);
					Holder holder = new Holder(outcome.scenario().name() + "/" + outcome.request().name(), held);
					this.mostHeld.merge(pool, holder, (most, other) -> (other.held() > most.held()) ? other : most);
				}));
			}
		}

		private Window next() {
			Window ended = this.window;
			this.window = new Window(PoolObserver.this.users);
			return ended;
		}

		@Override
		public void together() {
			readEvery(LATER);
		}

		@Override
		public void ended() {
			this.mostHeld
				.forEach((pool, holder) -> deadlock(pool, holder, PoolObserver.this.threads).ifPresent((risk) -> {
					this.recorder.addFinding(risk);
					if (PoolObserver.this.warned.add(risk)) {
						logger.warn("{} See {}", risk, SOURCE);
					}
				}));
			for (Pool pool : this.pools) {
				Optional.ofNullable(this.mostPending.get(pool))
					.ifPresent((pending) -> this.recorder
						.addFinding("Pool %s: %s waited for one of its %d connections.".formatted(pool.name(),
								(pending == 1) ? "a request" : pending + " requests at once", pool.max())));
				leftToOpen(pool).ifPresent(this.recorder::addFinding);
			}
		}

		@Override
		public void close() {
			this.reading.dispose();
		}

	}

	/**
	 * Whether a pool can deadlock. With <i>T</i> threads that hold <i>C</i> connections
	 * each, it cannot from <i>T × (C − 1) + 1</i> connections on: even if each thread has
	 * all but its last, one is left for some thread to go on with ({@value #SOURCE},
	 * section <i>Pool-locking</i>).
	 * @return a sentence, or empty when it cannot
	 */
	static Optional<String> deadlock(Pool pool, Holder holder, Optional<Integer> threads) {
		int held = holder.held();
		if (held <= 1) {
			return Optional.empty();
		}
		String risk = "Pool %s can deadlock if %s waits for one connection while it holds another: %d were in use at once"
			.formatted(pool.name(), holder.request(), held);
		if (threads.isEmpty()) {
			return Optional
				.of(risk + "; its %d are enough for %d such requests at a time, and no thread limit bounds them."
					.formatted(pool.max(), (pool.max() - 1) / (held - 1)));
		}
		int bound = threads.get();
		long needed = (long) bound * (held - 1) + 1;
		return (needed <= pool.max()) ? Optional.empty()
				: Optional.of(risk + ", so %d threads need %d x (%d - 1) + 1 = %d, but it has %d.".formatted(bound,
						bound, held, needed, pool.max()));
	}

	/**
	 * A burst that needs more connections than are open waits for each to be opened. A
	 * pool without any has not started, or cannot, and then requests have failed for that
	 * reason.
	 */
	private static Optional<String> leftToOpen(Pool pool) {
		int open = pool.open().getAsInt();
		return (open == 0 || open >= pool.max()) ? Optional.empty() : Optional
			.of("Pool %s has %d of its %d connections open: the first burst pays for opening the others; set %s = %d."
				.formatted(pool.name(), open, pool.max(), pool.minimum(), pool.max()));
	}

	/**
	 * A request, such as {@code orders/place}, and how many connections it held at once.
	 */
	record Holder(String request, int held) {

	}

	/**
	 * The time in which one request is alone in flight. What was in use when it began
	 * counts only once it was given back: it may belong to the request before.
	 */
	private static final class Window {

		private final UserActivity users;

		private final long entered;

		private final boolean empty;

		private final Map<Pool, Integer> peaks = new ConcurrentHashMap<>();

		Window(UserActivity users) {
			this.users = users;
			this.entered = users.begun();
			this.empty = users.inFlight() == 0;
		}

		void see(Pool pool, int active) {
			if (active == 0) {
				this.peaks.putIfAbsent(pool, 0);
			}
			else {
				this.peaks.computeIfPresent(pool, (same, peak) -> Math.max(peak, active));
			}
		}

		/** Empty where nothing was seen in use, or a user may have held it. */
		Optional<Integer> peak(Pool pool) {
			return (this.empty && this.users.begun() == this.entered)
					? Optional.ofNullable(this.peaks.get(pool)).filter((peak) -> peak > 0) : Optional.empty();
		}

	}

}
