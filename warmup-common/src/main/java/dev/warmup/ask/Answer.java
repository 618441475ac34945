package dev.warmup.ask;

import dev.warmup.record.Verdict;

/** What comes of asking an instance to warm the gateway. */
sealed interface Answer {

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
	record Started(String run) implements Answer {

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
	record CameThrough(Verdict verdict) implements Answer {

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
	record Unable(String problem) implements Answer {

	}

	/**
	 * The instance does not believe the gateway.
	 *
	 * @param problem why, for logs
	 */
	record Denied(String problem) implements Answer {

	}

	/**
	 * The instance has nothing to warm with.
	 *
	 * @param problem why, for logs
	 */
	record Refused(String problem) implements Answer {

	}

}
