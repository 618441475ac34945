package dev.warmup.run;

import java.util.List;
import java.util.Map;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Trigger;

/**
 * What one run sends: scenarios and how often each, dealt into rounds so that every
 * scenario is called from the first round on and none waits for another's last
 * repetition.
 *
 * @param shares the scenarios with their repetitions, in the catalog's order
 */
record Plan(Catalog catalog, List<Share> shares) {

	/** Sends nothing. */
	static final Plan EMPTY = new Plan(new Catalog("", Map.of(), List.of()), List.of());

	public Plan {
		shares = List.copyOf(shares);
	}

	/**
	 * Plans a run. As many repetitions as {@code repetitions} times the number of
	 * scenarios are shared out by weight, one at the least to each, and no more than an
	 * integer holds.
	 * @param service the service that sends, by its {@code spring.application.name}
	 * @param repetitions how often a scenario of average weight is repeated
	 * @return the plan; empty when no scenario fits service and trigger
	 */
	static Plan of(Catalog catalog, String service, Trigger trigger, int repetitions) {
		List<Scenario> scenarios = catalog.scenariosFor(service, trigger);
		double averageWeight = scenarios.stream().mapToInt(Scenario::weight).average().orElse(1);
		return new Plan(catalog, scenarios.stream()
			.map((scenario) -> new Share(scenario, rounded((double) repetitions * scenario.weight() / averageWeight)))
			.toList());
	}

	private static int rounded(double repetitions) {
		return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(repetitions)));
	}

	/** Whether there is nothing to send. */
	boolean isEmpty() {
		return this.shares.isEmpty();
	}

	/** How many requests all repetitions send, {@code finally} requests left out. */
	long requests() {
		return this.shares.stream()
			.mapToLong((share) -> (long) share.repetitions() * share.scenario().requests().size())
			.sum();
	}

	/** As many as the repetitions of the scenario that is repeated most. */
	int rounds() {
		return this.shares.stream().mapToInt(Share::repetitions).max().orElse(0);
	}

	/**
	 * The scenarios to replay once in a round, counted from 0: those repeated most in
	 * every round, others spread evenly, all of them in round 0.
	 */
	List<Scenario> round(int round) {
		int rounds = rounds();
		return this.shares.stream().filter((share) -> share.isDueIn(round, rounds)).map(Share::scenario).toList();
	}

	/** A scenario, and how often it is repeated, at least once. */
	record Share(Scenario scenario, int repetitions) {

		private boolean isDueIn(int round, int rounds) {
			return dueBefore(round + 1, rounds) > dueBefore(round, rounds);
		}

		/** Rounded up, so that the first round has every scenario. */
		private long dueBefore(int round, int rounds) {
			return ((long) round * this.repetitions + rounds - 1) / rounds;
		}

	}

}
