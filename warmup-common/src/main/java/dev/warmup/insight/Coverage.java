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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Compares users' requests with those that runs send: the catalog covers a kind of
 * request, a method and a folded path, once a run has sent one of it through this
 * gateway. Reports today and the day before.
 * <p>
 * Thread-safe. Memory is bounded, by 1000 kinds that are covered and twice 1000 that are
 * not, whatever users send: beyond that, a kind that is new that day is counted among the
 * requests, but not by itself.
 */
public final class Coverage {

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

	/**
	 * Notes that the catalog covers a request.
	 * @param method the method of a verified warm-up request
	 * @param path its path, without the query
	 */
	public void warmupSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		if (!this.covered.contains(kind) && this.covered.size() < MAX_KINDS) {
			this.covered.add(kind);
		}
	}

	/**
	 * Counts a user's request.
	 * @param method its method
	 * @param path its path, without the query
	 */
	public void userSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		this.days.today.count(kind, this.covered.contains(kind));
		if (!this.news.get()) {
			this.news.set(true);
		}
	}

	/** Begins a new day: what was counted before yesterday is forgotten. */
	public synchronized void turnDay() {
		this.days = new Days(Optional.of(this.days.today), new Day(this.clock.instant()));
	}

	/**
	 * Whether users were here since this was asked before.
	 * @return {@code true} once for each time they were
	 */
	public boolean takeNews() {
		return this.news.getAndSet(false);
	}

	/**
	 * What the catalog covers by now. A kind that it covers only since lately counts as
	 * covered before, as far as it was counted by itself.
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
				Optional
					.ofNullable((this.uncovered.size() < MAX_KINDS)
							? this.uncovered.computeIfAbsent(kind, (key) -> new LongAdder()) : this.uncovered.get(kind))
					.ifPresent(LongAdder::increment);
			}
		}

	}

}
