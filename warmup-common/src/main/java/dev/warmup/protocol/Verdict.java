package dev.warmup.protocol;

/** How a run ended. */
public enum Verdict {

	/** Every request was answered as expected, as often as required. */
	WARM,

	/** Some requests were not answered as expected, or not as often as required. */
	DEGRADED,

	/** No request was answered as expected. */
	FAILED,

	/** There was nothing to send. */
	SKIPPED

}
