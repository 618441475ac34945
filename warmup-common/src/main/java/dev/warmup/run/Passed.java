package dev.warmup.run;

import java.util.Optional;

import dev.warmup.locate.Gateway;
import dev.warmup.record.RunRecord;

/**
 * A run and the gateway it went through.
 *
 * @param gateway whom to tell, empty when none was found or nothing was to be sent
 * @param run the record
 */
record Passed(Optional<Gateway> gateway, RunRecord run) {

	static Passed through(Gateway gateway, RunRecord run) {
		return new Passed(Optional.of(gateway), run);
	}

	static Passed nowhere(RunRecord run) {
		return new Passed(Optional.empty(), run);
	}

}
