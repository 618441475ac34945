package dev.warmup.gateway;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.Verdict;

/**
 * What a gateway knows of a service's instances together.
 *
 * @param verdicts how the last run of each through this gateway ended
 * @param heardOf when the last warm-up request or report of any was here
 * @param underWay whether a run is heard of that was not reported yet
 */
public record ServiceSummary(List<Verdict> verdicts, Optional<Instant> heardOf, boolean underWay) {

	public ServiceSummary {
		verdicts = List.copyOf(verdicts);
	}

}
