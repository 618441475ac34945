package dev.warmup.run;

import java.util.Optional;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/** Is told how runs go. Calls come one after another for one run, and must not block. */
public interface RunListener {

	/**
	 * A request was sent, or could not be.
	 * @param outcome what became of it
	 */
	default void onOutcome(Outcome outcome) {
	}

	/**
	 * A run through one gateway is over.
	 * @param run its record
	 */
	default void onRun(RunRecord run) {
	}

	/**
	 * A run through all gateways is over.
	 * @param left the phase it left the instance in, or empty when there was nothing to
	 * send
	 */
	default void onConcluded(Optional<Phase> left) {
	}

	/**
	 * The instance changed its phase.
	 * @param phase the new phase
	 */
	default void onPhase(Phase phase) {
	}

}
