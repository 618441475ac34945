package dev.warmup.gateway;

import dev.warmup.protocol.Verdict;

/** What comes of asking an instance to warm the gateway. */
sealed interface GatewayWarmupResult {

	/**
	 * What keeps the instance from it.
	 * @return the problem, for logs; empty when there is none
	 */
	String problem();

	/**
	 * A run was started.
	 *
	 * @param run its id
	 */
	record Started(String run) implements GatewayWarmupResult {

		@Override
		public String problem() {
			return "";
		}

	}

	/**
	 * The run was reported, and was answered.
	 *
	 * @param verdict how it ended
	 */
	record CameThrough(Verdict verdict) implements GatewayWarmupResult {

		@Override
		public String problem() {
			return "";
		}

	}

	/**
	 * Not now: another run is under way, or the instance cannot be reached.
	 *
	 * @param problem why, for logs
	 */
	record Unable(String problem) implements GatewayWarmupResult {

	}

	/**
	 * The instance does not believe the gateway.
	 *
	 * @param problem why, for logs
	 */
	record Denied(String problem) implements GatewayWarmupResult {

	}

	/**
	 * The instance has nothing to warm with.
	 *
	 * @param problem why, for logs
	 */
	record Refused(String problem) implements GatewayWarmupResult {

	}

}
