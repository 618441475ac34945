package dev.warmup.run;

import dev.warmup.Gateway;
import dev.warmup.protocol.RunReport;
import reactor.core.publisher.Mono;

/**
 * Tells a gateway how a run through it ended, and has both ends warm for that: what a JVM
 * compiled for warm-up alone it throws away when a report passes by the same code, just
 * when the first users come.
 */
public interface Reporter {

	/**
	 * Sends a report. A gateway that does not take it is logged; the run is over either
	 * way.
	 * @param gateway whom to tell
	 * @param report what to tell
	 * @return completes when it is told or given up; never fails
	 */
	Mono<Void> report(Gateway gateway, RunReport report);

	/**
	 * Sends what a report could be by now, which the gateway reads and forgets.
	 * @param gateway whom to send it to
	 * @param report the report of a run that is under way
	 * @return completes when it is read or given up; never fails
	 */
	default Mono<Void> rehearse(Gateway gateway, RunReport report) {
		return Mono.empty();
	}

}
