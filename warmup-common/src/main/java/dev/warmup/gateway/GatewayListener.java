package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;

/** Observes what the gateway sees. Must not block. */
public interface GatewayListener {

	/**
	 * A request claimed to be warm-up.
	 * @param outcome how the gateway judged the claim
	 */
	default void onClaim(ClaimOutcome outcome) {
	}

	/**
	 * The first user request over a route after a run was answered.
	 * @param instance the instance that answered
	 * @param route the route's id
	 * @param latency how long it took until the response was committed
	 */
	default void onFirstUserRequest(Instance instance, String route, Duration latency) {
	}

	/**
	 * An instance takes users while its run goes on.
	 * @param report the report of the run so far
	 */
	default void onRamping(RunReport report) {
	}

	/**
	 * An instance reported a run that is over.
	 * @param report the report
	 */
	default void onReport(RunReport report) {
	}

	/** How the gateway judged a claim to be warm-up. */
	enum ClaimOutcome {

		/** It was verified. */
		ACCEPTED,

		/** It did not verify, and the request went on as a user's. */
		REJECTED,

		/** It was verified, and deferred: too many warm-up requests were in flight. */
		DEFERRED,

		/** The registry could not be reached, and the request was answered with 503. */
		UNAVAILABLE

	}

}
