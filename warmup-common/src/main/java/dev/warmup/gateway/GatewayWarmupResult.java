package dev.warmup.gateway;

import dev.warmup.protocol.Verdict;

/** The result of a request to an instance to warm this gateway. */
sealed interface GatewayWarmupResult {

	/**
	 * The instance started a run.
	 *
	 * @param run its id
	 */
	record Started(String run) implements GatewayWarmupResult {

	}

	/**
	 * The run was reported.
	 *
	 * @param verdict how it ended
	 */
	record Completed(Verdict verdict) implements GatewayWarmupResult {

	}

	/**
	 * No run went through this gateway.
	 *
	 * @param reason decides when the service is requested again
	 * @param problem what happened, for logs
	 */
	record Failed(Reason reason, String problem) implements GatewayWarmupResult {

		static Failed temporarily(String problem) {
			return new Failed(Reason.TEMPORARY, problem);
		}

	}

	/** Why no run went through this gateway. */
	enum Reason {

		/** It may be another next time, as where another run is in progress. */
		TEMPORARY,

		/** The instance has nothing to warm with. */
		UNSUPPORTED

	}

}
