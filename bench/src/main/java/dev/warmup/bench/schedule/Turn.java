package dev.warmup.bench.schedule;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One step at its place in the whole run.
 *
 * @param scenario the id of its scenario
 * @param round the round, from 1 on
 * @param rounds how many rounds its scenario has
 * @param step what to do
 * @param inTime whether it is left out where there is no time for it
 */
record Turn(String scenario, int round, int rounds, Step step, boolean inTime) {

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
			.flatMap((round) -> steps.stream()
				.filter((step) -> round <= step.rounds())
				.map((step) -> new Turn(scenario.id(), round, rounds, step, round > 1 && scenario.repeatsInTime())))
			.toList();
	}

}
