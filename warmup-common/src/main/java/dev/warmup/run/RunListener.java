package dev.warmup.run;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/**
 * Follows how runs go. Calls come one after another for one run, and must not block
 * unless they state otherwise. A listener that throws is logged, and the run goes on.
 */
public interface RunListener {

	/**
	 * A run through one gateway begins. May block.
	 * @param run the run's id
	 * @param recorder the run's record, to be used only within calls of the observation
	 * @return observes the run to its end
	 */
	default Observation begin(String run, RunRecorder recorder) {
		return Observation.NONE;
	}

	/** A request was sent, or could not be. */
	default void onOutcome(Outcome outcome) {
	}

	/** A run through one gateway is over. */
	default void onRun(RunRecord run) {
	}

	/** The instance entered this phase. */
	default void onPhase(Phase phase) {
	}

	/** Observes one run through one gateway. */
	interface Observation {

		/** Observes nothing. */
		Observation NONE = new Observation() {
		};

		/**
		 * The first request is about to be sent, and once more after each attempt that
		 * did not find a route. What was observed before does not count.
		 */
		default void attempt() {
		}

		/** A request has ended that was the only one in flight since the call before. */
		default void alone(Outcome outcome) {
		}

		/** From now on several requests may be in flight at once. */
		default void together() {
		}

		/** The last request has ended, and the record is closed next. May block. */
		default void ended() {
		}

		/** The run is over, however it ended: also when it was broken off. */
		default void close() {
		}

	}

}
