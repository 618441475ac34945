package dev.warmup.report;

import dev.warmup.locate.Gateway;
import reactor.core.publisher.Mono;

/** Tells a gateway how a run through it ended. */
public interface Reporter {

	/**
	 * Sends a report. A gateway that does not take it is logged; the run is over either
	 * way.
	 * @param gateway whom to tell
	 * @param report what to tell
	 * @return completes when it is told or given up; never fails
	 */
	Mono<Void> report(Gateway gateway, RunReport report);

}
