package dev.warmup.catalog;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.warmup.protocol.Trigger;

/**
 * Requests that belong together: they run in order and share their captures.
 *
 * @param name unique in the catalog
 * @param service the only service that replays it, or empty for every service
 * @param when the triggers that replay it; never empty
 * @param weight its share of the repetitions, against the other scenarios' weights; from
 * 1 to 1000
 * @param requests what is sent, in order; never empty
 * @param cleanup what is sent after each repetition, whatever failed before it, if its
 * placeholders are known ({@code finally} in the file); may be empty
 */
public record Scenario(String name, Optional<String> service, Set<Trigger> when, int weight,
		List<RequestTemplate> requests, List<RequestTemplate> cleanup) {

	public Scenario {
		when = Set.copyOf(when);
		requests = List.copyOf(requests);
		cleanup = List.copyOf(cleanup);
	}

	/** Whether it names the service, in upper or lower case, or none. */
	public boolean isFor(String service) {
		return this.service.map(service::equalsIgnoreCase).orElse(true);
	}

}
