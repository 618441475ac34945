package dev.warmup.run;

import java.util.Optional;

import dev.warmup.Gateway;
import dev.warmup.protocol.RunRecord;

/**
 * A run and the gateway it went through.
 *
 * @param gateway whom to tell, empty when none was found or nothing was to be sent
 * @param run the record
 */
record RunResult(Optional<Gateway> gateway, RunRecord run) {

	static RunResult through(Gateway gateway, RunRecord run) {
		return new RunResult(Optional.of(gateway), run);
	}

	static RunResult nowhere(RunRecord run) {
		return new RunResult(Optional.empty(), run);
	}

}
