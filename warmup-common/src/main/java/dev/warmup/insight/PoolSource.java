package dev.warmup.insight;

import java.util.List;
import java.util.function.IntSupplier;

/** Finds the application's connection pools of one kind. */
@FunctionalInterface
interface PoolSource {

	/**
	 * Finds the pools as a run begins. May block.
	 * @return each pool once
	 */
	List<Pool> pools();

	/**
	 * A pool of connections, by its own metrics. All of them are 0 for a pool that has
	 * not been used yet.
	 *
	 * @param name its name in the log and in the report
	 * @param active how many connections are in use
	 * @param pending how many callers wait for a connection
	 * @param open how many connections are open, in use or not
	 * @param max how many connections there can be at most
	 * @param minimum the pool's property that says how many connections it keeps open,
	 * such as {@code minimumIdle}
	 */
	record Pool(String name, IntSupplier active, IntSupplier pending, IntSupplier open, int max, String minimum) {

	}

}
