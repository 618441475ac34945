package dev.warmup.gateway;

/** What the gateway made of a claim to be warm-up. */
public enum ClaimOutcome {

	/** It was believed. */
	ACCEPTED,

	/** It was not, and the request went on as a user's. */
	REJECTED,

	/** It was believed, and put off: too many warm-up requests were in flight. */
	DEFERRED,

	/** The registry could not be asked, and the request was turned away. */
	UNAVAILABLE

}
