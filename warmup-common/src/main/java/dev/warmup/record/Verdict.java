package dev.warmup.record;

/** How a run ended. */
public enum Verdict {

	/** Everything planned was sent and answered as expected. */
	WARM,

	/** Some requests were not answered as expected. */
	DEGRADED,

	/** The budget was spent before everything planned was sent. */
	TIMED_OUT,

	/** Nothing was answered as expected. */
	FAILED,

	/** The catalog has nothing for this service, so nothing was sent. */
	SKIPPED

}
