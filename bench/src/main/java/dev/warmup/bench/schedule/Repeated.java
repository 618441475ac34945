package dev.warmup.bench.schedule;

import java.util.List;
import java.util.Map;

/**
 * A scenario whose steps are repeated as often as was asked for, whether or not there is
 * time for it.
 */
public final class Repeated implements Scenario {

	private final Scenario scenario;

	private final int rounds;

	/**
	 * Repeats a scenario.
	 * @param scenario what to repeat
	 * @param rounds how often, 1 or more
	 */
	public Repeated(Scenario scenario, int rounds) {
		this.scenario = scenario;
		this.rounds = rounds;
	}

	@Override
	public String id() {
		return this.scenario.id();
	}

	@Override
	public Map<String, String> titles() {
		return this.scenario.titles();
	}

	@Override
	public int rounds() {
		return this.rounds;
	}

	@Override
	public List<Step> steps() {
		return this.scenario.steps();
	}

}
