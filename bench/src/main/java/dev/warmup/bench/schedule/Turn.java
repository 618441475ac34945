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
 * @param inTime whether it is left out where there is no time for it
 */
record Turn(String scenario, int round, int rounds, Step step, boolean inTime) {

	/**
	 * Puts the steps of a scenario in their order.
	 * @param scenario the scenario; its steps are asked for once
	 * @return all steps of the first round, then all of the second, and so on, then those
	 * for which there may be no time
	 */
	static List<Turn> of(Scenario scenario) {
		List<Step> steps = List.copyOf(scenario.steps());
		List<Step> inTime = List.copyOf(scenario.stepsInTime());
		int last = scenario.rounds() + (inTime.isEmpty() ? 0 : 1);
		return Stream
			.concat(IntStream.rangeClosed(1, scenario.rounds())
				.boxed()
				.flatMap((round) -> steps.stream().map((step) -> new Turn(scenario.id(), round, last, step, false))),
					inTime.stream().map((step) -> new Turn(scenario.id(), last, last, step, true)))
			.toList();
	}

}
