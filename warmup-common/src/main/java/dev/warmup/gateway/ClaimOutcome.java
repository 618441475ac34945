package dev.warmup.gateway;

/** How the gateway judged a claim to be warm-up. */
public enum ClaimOutcome {

	/** It was verified. */
	ACCEPTED,

	/** It did not verify, and the request went on as a user's. */
	REJECTED,

	/** It was verified, and put off: too many warm-up requests were in flight. */
	DEFERRED,

	/** The registry could not be reached, and the request was turned away. */
	UNAVAILABLE

}
