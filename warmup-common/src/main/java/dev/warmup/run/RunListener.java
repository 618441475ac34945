package dev.warmup.run;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/**
 * Follows how runs go. Calls come one after another for one run, and must not block. A
 * listener that throws is logged, and the run goes on.
 */
public interface RunListener {

	/** A request was sent, or could not be. */
	default void onOutcome(Outcome outcome) {
	}

	/** A run through one gateway is over. */
	default void onRun(RunRecord run) {
	}

	/** The instance entered this phase. */
	default void onPhase(Phase phase) {
	}

}
