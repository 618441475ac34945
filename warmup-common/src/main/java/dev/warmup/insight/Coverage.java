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
import java.util.stream.Stream;

/**
 * Compares users' requests with those that runs send: the catalog covers a kind of
 * request, a method and a folded path, once a run has sent one of it through this
 * gateway. Tells of today and the day before.
 * <p>
 * Thread-safe; whoever counts takes no lock that another may hold. Memory is bounded, by
 * 1000 kinds that are covered and twice 256 that are not, whatever users send.
 */
public final class Coverage {

	/** More kinds than a catalog has; those beyond count as not covered. */
	static final int MAX_COVERED = 1000;

	private static final int KINDS_TOLD = 10;

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
		this.days = new Days(Optional.empty(), new CoverageWindow(clock.instant()));
	}

	/**
	 * Notes that the catalog covers a request.
	 * @param method the method of a verified warm-up request
	 * @param path its path, without the query
	 */
	public void warmupSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		if (!this.covered.contains(kind) && this.covered.size() < MAX_COVERED) {
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
		if (this.covered.contains(kind)) {
			this.days.today.covered();
		}
		else {
			this.days.today.uncovered(kind);
		}
		if (!this.news.get()) {
			this.news.set(true);
		}
	}

	/** Begins a new day: what was counted before yesterday is forgotten. */
	public synchronized void turnDay() {
		this.days = new Days(Optional.of(this.days.today), new CoverageWindow(this.clock.instant()));
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
		long coveredSoFar = both.stream().mapToLong(CoverageWindow::coveredThen).sum();
		Map<RequestKind, Long> uncovered = new HashMap<>();
		for (CoverageWindow window : both.stream().toList()) {
			for (SpaceSaving.Counted<RequestKind> counted : window.uncovered()) {
				if (this.covered.contains(counted.item())) {
					coveredSoFar += counted.atLeast();
				}
				else {
					uncovered.merge(counted.item(), counted.atLeast(), Long::sum);
				}
			}
		}
		return new CoverageReport(both.since(), both.stream().mapToLong(CoverageWindow::requests).sum(), coveredSoFar,
				mostFrequent(uncovered));
	}

	private static List<CoverageReport.Uncovered> mostFrequent(Map<RequestKind, Long> kinds) {
		return kinds.entrySet()
			.stream()
			.sorted(Map.Entry.<RequestKind, Long>comparingByValue()
				.reversed()
				.thenComparing((entry) -> entry.getKey().toString(), Comparator.naturalOrder()))
			.limit(KINDS_TOLD)
			.map((entry) -> new CoverageReport.Uncovered(entry.getKey().method(), entry.getKey().path(),
					entry.getValue(), CatalogEntry.of(entry.getKey())))
			.toList();
	}

	private record Days(Optional<CoverageWindow> yesterday, CoverageWindow today) {

		Stream<CoverageWindow> stream() {
			return Stream.concat(this.yesterday.stream(), Stream.of(this.today));
		}

		Instant since() {
			return this.yesterday.orElse(this.today).since();
		}

	}

}
