package dev.warmup.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.warmup.bench.scenario.Burst;
import dev.warmup.bench.scenario.Cost;
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
		return Collections.unmodifiableMap(scenarios);
	}

}
