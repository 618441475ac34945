package dev.warmup.insight;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import dev.warmup.gateway.GatewayListener;
import dev.warmup.protocol.RunReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Compares users' requests with those that runs send: the catalog covers a kind of
 * request, a method and a folded path, once a run has sent one of it through this
 * gateway. Logs the share that is covered once a day and after each run, if users sent
 * something since the last line. Reports today and the day before.
 * <p>
 * Thread-safe. Memory is bounded, by 1000 kinds that are covered and twice 1000 that are
 * not, whatever users send: beyond that, a kind that is new that day is counted among the
 * requests, but not by itself.
 */
public final class Coverage implements GatewayListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	/** More kinds than a catalog has; those beyond count as not covered. */
	static final int MAX_KINDS = 1000;

	private static final int KINDS_REPORTED = 10;

	private final Clock clock;

	private final Set<RequestKind> covered = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean news = new AtomicBoolean();

	private volatile Days days;

	/**
	 * Creates a coverage of nothing.
	 * @param clock the source of time
	 */
	public Coverage(Clock clock) {
		this.clock = clock;
		this.days = new Days(Optional.empty(), new Day(clock.instant()));
	}

	/** Notes that a run sent a request to a path, without its query. */
	void warmupSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		if (!this.covered.contains(kind) && this.covered.size() < MAX_KINDS) {
			this.covered.add(kind);
		}
	}

	/** Counts a user's request to a path, without its query. */
	void userSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		this.days.today.count(kind, this.covered.contains(kind));
		if (!this.news.get()) { // a write would invalidate other caches
			this.news.set(true);
		}
	}

	@Override
	public void onReport(RunReport report) {
		logNews();
	}

	/** Begins a new day: what was counted before yesterday is forgotten. */
	@Scheduled(fixedRate = 1, initialDelay = 1, timeUnit = TimeUnit.DAYS)
	public synchronized void turnDay() {
		logNews();
		this.days = new Days(Optional.of(this.days.today), new Day(this.clock.instant()));
	}

	private void logNews() {
		if (this.news.getAndSet(false)) {
			logger.info("{}", report().line());
		}
	}

	/**
	 * What the catalog covers by now. A kind that it has covered only since lately counts
	 * as covered before, as far as it was counted by itself.
	 * @return the figures of today and the day before
	 */
	public CoverageReport report() {
		Days both = this.days;
		long coveredSoFar = both.stream().mapToLong((day) -> day.covered.sum()).sum();
		Map<RequestKind, Long> uncovered = new HashMap<>();
		both.stream()
			.forEach((day) -> day.uncovered.forEach((kind, count) -> uncovered.merge(kind, count.sum(), Long::sum)));
		for (RequestKind kind : List.copyOf(uncovered.keySet())) {
			if (this.covered.contains(kind)) {
				coveredSoFar += uncovered.remove(kind);
			}
		}
		return new CoverageReport(both.since(), both.stream().mapToLong((day) -> day.requests.sum()).sum(),
				coveredSoFar, mostFrequent(uncovered));
	}

	private static List<CoverageReport.Uncovered> mostFrequent(Map<RequestKind, Long> kinds) {
		return kinds.entrySet()
			.stream()
			.sorted(Map.Entry.<RequestKind, Long>comparingByValue()
				.reversed()
				.thenComparing((entry) -> entry.getKey().toString(), Comparator.naturalOrder()))
			.limit(KINDS_REPORTED)
			.map((entry) -> new CoverageReport.Uncovered(entry.getKey().method(), entry.getKey().path(),
					entry.getValue(), entry.getKey().catalogEntry()))
			.toList();
	}

	private record Days(Optional<Day> yesterday, Day today) {

		Stream<Day> stream() {
			return Stream.concat(this.yesterday.stream(), Stream.of(this.today));
		}

		Instant since() {
			return this.yesterday.orElse(this.today).since;
		}

	}

	/** Users' requests of a day. */
	private static final class Day {

		private final Instant since;

		private final LongAdder requests = new LongAdder();

		private final LongAdder covered = new LongAdder();

		private final Map<RequestKind, LongAdder> uncovered = new ConcurrentHashMap<>();

		Day(Instant since) {
			this.since = since;
		}

		void count(RequestKind kind, boolean isCovered) {
			this.requests.increment();
			if (isCovered) {
				this.covered.increment();
			}
			else {
				LongAdder count = (this.uncovered.size() < MAX_KINDS)
						? this.uncovered.computeIfAbsent(kind, (key) -> new LongAdder()) : this.uncovered.get(kind);
				if (count != null) {
					count.increment();
				}
			}
		}

	}

}
