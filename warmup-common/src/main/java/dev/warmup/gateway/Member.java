package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/** One instance as the gateway sees it. Thread-safe; users' requests take no lock. */
final class Member {

	private static final int MAX_ROUTES = 100;

	/** A run that is silent for longer is taken for broken off. */
	private static final Duration SILENCE = Duration.ofSeconds(10);

	private final Clock clock;

	private final Map<String, RouteLatencies> routes = new TreeMap<>();

	private volatile Instance instance;

	private volatile Optional<FirstUsers> firstUsers = Optional.empty();

	private volatile Instant heardOf;

	private Phase phase = Phase.COLD;

	private Instant since;

	private String currentRun = "";

	private Optional<RunRecord> lastRun = Optional.empty();

	Member(Instance instance, Clock clock) {
		this.instance = instance;
		this.clock = clock;
		this.since = clock.instant();
		this.heardOf = this.since;
	}

	Instance instance() {
		return this.instance;
	}

	Instant heardOf() {
		return this.heardOf;
	}

	synchronized Optional<RunRecord> lastRun() {
		return this.lastRun;
	}

	/** Whether a run is heard of that was not reported yet. */
	synchronized boolean isUnderWay() {
		return !this.currentRun.isEmpty() && !isReported(this.currentRun)
				&& this.clock.instant().isBefore(this.heardOf.plus(SILENCE));
	}

	private boolean isReported(String run) {
		return this.lastRun.filter((last) -> last.id().equals(run)).isPresent();
	}

	/** Tells what was seen here of the run, if it is reported for the first time. */
	synchronized List<FleetEntry.RouteEntry> reported(Instance reporter, Phase next, RunRecord run) {
		this.instance = reporter;
		this.heardOf = this.clock.instant();
		boolean news = !isReported(run.id());
		boolean seen = run.id().equals(this.currentRun);
		if (news) {
			this.firstUsers = FirstUsers.after(reporter, run, seen ? steady() : Map.of());
		}
		this.lastRun = Optional.of(run);
		enter(next);
		return (news && seen) ? routes() : List.of();
	}

	private List<FleetEntry.RouteEntry> routes() {
		return this.routes.values().stream().map(RouteLatencies::entry).toList();
	}

	/** Tells whether this takes the instance into {@link Phase#WARMING}. */
	synchronized boolean warmupAnswered(String run, String route, Duration latency, boolean failed) {
		this.heardOf = this.clock.instant();
		if (!run.equals(this.currentRun)) {
			this.currentRun = run;
			this.routes.clear();
		}
		if (this.routes.size() < MAX_ROUTES || this.routes.containsKey(route)) {
			this.routes.computeIfAbsent(route, RouteLatencies::new).add(latency, failed);
		}
		return !failed && !isReported(run) && (this.phase == Phase.COLD || this.phase == Phase.FAILED)
				&& enter(Phase.WARMING);
	}

	private Map<String, BaselineLatency> steady() {
		Map<String, BaselineLatency> steady = new TreeMap<>();
		this.routes.forEach((route, figures) -> figures.steady().ifPresent((figure) -> steady.put(route, figure)));
		return steady;
	}

	/** Whom to tell of users' requests, or empty when none is awaited. */
	Optional<FirstUsers> firstUsers() {
		return this.firstUsers;
	}

	synchronized FleetEntry entry() {
		return new FleetEntry(this.instance.service(), this.instance.instanceId(), this.phase, this.since, this.lastRun,
				this.firstUsers.flatMap(FirstUsers::first), this.firstUsers.map(FirstUsers::entries).orElse(List.of()),
				routes());
	}

	private boolean enter(Phase next) {
		if (this.phase == next) {
			return false;
		}
		this.phase = next;
		this.since = this.clock.instant();
		return true;
	}

}
