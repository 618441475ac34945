package dev.warmup.insight;

import java.util.List;

/** Finds the application's pools of one kind. */
@FunctionalInterface
public interface PoolSource {

	/**
	 * Finds the pools as a run begins. May block.
	 * @return each pool once
	 */
	List<PoolGauge> pools();

}
