package dev.warmup.bench.schedule;

import java.util.List;
import java.util.Map;

/**
 * One question, answered by steps that are repeated by turns: A B C, A B C, and so on.
 */
public interface Scenario {

	/**
	 * Names it in results and on the command line.
	 * @return a word
	 */
	String id();

	/**
	 * Names the variants that only this scenario has, in tables and charts.
	 * @return titles by id, in the order of the tables
	 */
	default Map<String, String> titles() {
		return Map.of();
	}

	/**
	 * How often its steps are repeated.
	 * @return the number of rounds
	 */
	int rounds();

	/**
	 * What one round consists of.
	 * @return the steps in their order
	 */
	List<Step> steps();

	/**
	 * What one round more consists of, which is made after all scenarios, and of which
	 * steps are left out where there is no time for them.
	 * @return the steps in the order in which time is given to them
	 */
	default List<Step> stepsInTime() {
		return List.of();
	}

}
