package dev.warmup.run;

/**
 * Looks on while a run goes through one gateway, and adds what it sees to the record. One
 * that fails is logged, and the run goes on.
 */
public interface RunObserver extends RunListener {

	/**
	 * A run is about to knock at its gateway. May block.
	 * @param run the run's id
	 * @param recorder the run's record, not to be touched but within calls of the sight
	 * @return sees the run to its end
	 */
	Observation begin(String run, RunRecorder recorder);

	/**
	 * What a watch sees of one run. Calls come one after another, and must not block
	 * unless they say that they may.
	 */
	interface Observation {

		/** Sees nothing. */
		Observation NONE = new Observation() {
		};

		/**
		 * The first request is about to be sent, to find the way, and once more after
		 * each attempt that did not find it. What was seen before counts for none.
		 */
		default void attempt() {
		}

		/**
		 * A request has ended that was the run's only one in flight since the call
		 * before.
		 * @param outcome what became of it
		 */
		default void alone(Outcome outcome) {
		}

		/** From now on several requests may be in flight at once. */
		default void together() {
		}

		/** The last request has ended, and the record is closed next. May block. */
		default void ended() {
		}

		/** The run is over, however it went: also when it was broken off. */
		default void close() {
		}

	}

}
