package dev.warmup.bench.schedule;

import java.util.List;

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
	 * How often its steps are repeated.
	 * @return the number of rounds
	 */
	int rounds();

	/**
	 * What one round consists of.
	 * @return the steps in their order
	 */
	List<Step> steps();

}
