package dev.warmup.bench.schedule;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One step at its place in the whole run.
 *
 * @param scenario the id of its scenario
 * @param round the round, from 1 on
 * @param rounds how many rounds its scenario has
 * @param step what to do
 */
record Turn(String scenario, int round, int rounds, Step step) {

	/**
	 * Puts the steps of a scenario in their order.
	 * @param scenario the scenario; its steps are asked for once
	 * @return all steps of the first round, then all of the second, and so on
	 */
	static List<Turn> of(Scenario scenario) {
		List<Step> steps = List.copyOf(scenario.steps());
		int rounds = scenario.rounds();
		return IntStream.rangeClosed(1, rounds)
			.boxed()
			.flatMap((round) -> turns(scenario.id(), round, rounds, steps))
			.toList();
	}

	private static Stream<Turn> turns(String scenario, int round, int rounds, List<Step> steps) {
		return steps.stream()
			.filter((step) -> round <= step.rounds())
			.map((step) -> new Turn(scenario, round, rounds, step));
	}

}
