package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import org.jspecify.annotations.Nullable;

/** One instance of the {@link Fleet}. Thread-safe. */
final class Member {

	private static final int MAX_ROUTES = 100;

	private static final int MAX_RUNS = 2;

	/** A run that sends nothing for longer is taken to be over. */
	private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

	/** Longer than a registry that restarts empty takes to be complete again. */
	private static final Duration MISSING_FOR = Duration.ofMinutes(5);

	private final Clock clock;

	/** By run and route, of two runs, which may go on at once; that used last is last. */
	private final Map<String, Map<String, Latencies.Recent>> routes = new LinkedHashMap<>(4, 0.75f, true);

	/** The last runs that were reported. */
	private final List<String> reported = new ArrayList<>();

	private volatile Instance instance;

	private Optional<String> key = Optional.empty();

	private volatile Optional<FirstUsers> firstUsers = Optional.empty();

	private volatile Instant lastSeen;

	private Optional<Instant> missingSince = Optional.empty();

	private Phase phase = Phase.COLD;

	private Instant since;

	private String currentRun = "";

	private Optional<RunRecord> lastRun = Optional.empty();

	Member(Instance instance, Clock clock) {
		this.instance = instance;
		this.clock = clock;
		this.since = clock.instant();
		this.lastSeen = this.since;
	}

	Instance instance() {
		return this.instance;
	}

	/** Whether it has that public key; one that is not known yet has it from now on. */
	synchronized boolean isOf(Optional<String> published) {
		this.key = this.key.or(() -> published);
		return this.key.equals(published);
	}

	/** Whether discovery, which has it now or not, has not had it for five minutes. */
	synchronized boolean isMissing(boolean registered) {
		Instant now = this.clock.instant();
		this.missingSince = registered ? Optional.empty() : this.missingSince.or(() -> Optional.of(now));
		return this.missingSince.filter((since) -> !now.isBefore(since.plus(MISSING_FOR))).isPresent();
	}

	/** When its last warm-up request or report was here. */
	Instant lastSeen() {
		return this.lastSeen;
	}

	synchronized Optional<RunRecord> lastRun() {
		return this.lastRun;
	}

	/** Whether a run sends requests that was not reported yet. */
	synchronized boolean isWarming() {
		return !this.currentRun.isEmpty() && !isReported(this.currentRun)
				&& this.clock.instant().isBefore(this.lastSeen.plus(MAX_SILENCE));
	}

	private boolean isReported(String run) {
		return this.reported.contains(run);
	}

	/** Returns whether the run was not reported before. */
	synchronized boolean reported(Instance reporter, Phase next, RunRecord run) {
		this.instance = reporter;
		this.lastSeen = this.clock.instant();
		if (isReported(run.id())) {
			return false;
		}
		this.reported.add(run.id());
		if (this.reported.size() > MAX_RUNS) {
			this.reported.remove(0);
		}
		this.firstUsers = FirstUsers.after(reporter, run, baselines(this.routes.remove(run.id())));
		this.lastRun = Optional.of(run);
		enter(next);
		return true;
	}

	/**
	 * Returns whether this takes the instance into {@link Phase#RAMPING}: not where its
	 * run goes through other gateways only, which alone get to know its end.
	 */
	synchronized boolean ramping(Instance reporter) {
		if (!isWarming()) {
			return false;
		}
		this.instance = reporter;
		this.lastSeen = this.clock.instant();
		return enter(Phase.RAMPING);
	}

	/** Returns whether this takes the instance into {@link Phase#WARMING}. */
	synchronized boolean warmupAnswered(String run, String route, Duration latency, boolean failed) {
		this.lastSeen = this.clock.instant();
		this.currentRun = run;
		if (failed || isReported(run)) {
			return false;
		}
		Map<String, Latencies.Recent> of = this.routes.computeIfAbsent(run, (id) -> new TreeMap<>());
		if (this.routes.size() > MAX_RUNS) {
			this.routes.remove(this.routes.keySet().iterator().next());
		}
		if (of.size() < MAX_ROUTES || of.containsKey(route)) {
			of.computeIfAbsent(route, (id) -> new Latencies.Recent()).add(latency);
		}
		return (this.phase == Phase.COLD || this.phase == Phase.FAILED) && enter(Phase.WARMING);
	}

	private boolean enter(Phase next) {
		if (this.phase == next) {
			return false;
		}
		this.phase = next;
		this.since = this.clock.instant();
		return true;
	}

	/**
	 * Measures users after the last run; empty where there is nothing to compare with.
	 */
	Optional<FirstUsers> firstUsers() {
		return this.firstUsers;
	}

	synchronized Fleet.Entry entry() {
		return new Fleet.Entry(this.instance.service(), this.instance.instanceId(), this.phase, this.since,
				this.lastRun, this.firstUsers.flatMap(FirstUsers::first),
				this.firstUsers.map(FirstUsers::entries).orElse(List.of()));
	}

	private static Map<String, FirstUsers.Baseline> baselines(@Nullable Map<String, Latencies.Recent> routes) {
		Map<String, FirstUsers.Baseline> baselines = new TreeMap<>();
		if (routes != null) {
			routes.forEach((route, recent) -> {
				Latencies latencies = recent.get();
				latencies.percentile(50)
					.ifPresent((p50) -> baselines.put(route,
							new FirstUsers.Baseline(p50, latencies.percentile(95).orElse(p50))));
			});
		}
		return baselines;
	}

}
