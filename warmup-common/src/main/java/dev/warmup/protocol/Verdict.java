package dev.warmup.protocol;

/** How a run ended. */
public enum Verdict {

	/** Everything was answered as expected, and is steady. */
	WARM,

	/** Some requests were not answered as expected, or none by the instance itself. */
	DEGRADED,

	/**
	 * All was answered as expected, but the budget was spent, or nothing more was to be
	 * sent, before all was steady.
	 */
	TIMED_OUT,

	/** Nothing was answered as expected. */
	FAILED,

	/**
	 * Nothing was sent: the catalog has nothing for this service, or there is nowhere to
	 * look for gateways.
	 */
	SKIPPED

}
