package dev.warmup.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.warmup.bench.scenario.Burst;
import dev.warmup.bench.scenario.Cost;
import dev.warmup.bench.scenario.Curve;
import dev.warmup.bench.scenario.First;
import dev.warmup.bench.scenario.Growth;
import dev.warmup.bench.scenario.Idle;
import dev.warmup.bench.scenario.Join;
import dev.warmup.bench.scenario.Site;
import dev.warmup.bench.schedule.Scenario;

/** Lists the scenarios. One more is one more line here. */
final class Scenarios {

	/** What there is time for when it shall be quick. */
	static final Set<String> SOON = Set.of("first", "burst");

	/** What takes as long as all others together, and answers a question of its own. */
	static final Set<String> ONLY_BY_NAME = Set.of("curve");

	private Scenarios() {
	}

	/**
	 * All scenarios, by their ids.
	 * @return how each is made, in the order in which they run
	 */
	static Map<String, Function<Site, Scenario>> all() {
		Map<String, Function<Site, Scenario>> scenarios = new LinkedHashMap<>();
		scenarios.put("first", First::new);
		scenarios.put("burst", Burst::new);
		scenarios.put("join", Join::new);
		scenarios.put("idle", Idle::new);
		scenarios.put("cost", Cost::new);
		scenarios.put("growth", Growth::new);
		scenarios.put("curve", Curve::new);
		return Collections.unmodifiableMap(scenarios);
	}

	/**
	 * What is run when none is named.
	 * @return their ids, in the order in which they run
	 */
	static List<String> usual() {
		return all().keySet().stream().filter((id) -> !ONLY_BY_NAME.contains(id)).toList();
	}

	/**
	 * Names the results of a run, so that those of a scenario that is run by its name
	 * only do not replace those of all others.
	 * @param chosen the ids of what is run
	 * @return the scenario's id when it is one of these and runs alone, else
	 * {@code latest}
	 */
	static String results(List<String> chosen) {
		return (chosen.size() == 1 && ONLY_BY_NAME.contains(chosen.get(0))) ? chosen.get(0) : "latest";
	}

}
