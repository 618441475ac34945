package dev.warmup.bench.variant;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stands beside a service and sends it the same requests in random order. */
interface Sidecar {

	/** How long an answer is waited for; mittens' default. */
	Duration TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Takes mittens itself where it is at hand, else its schedule.
	 * @param binary the path to mittens, if anyone named one
	 * @param work a directory for what it writes
	 * @return the one to use
	 */
	static Sidecar chosen(Optional<String> binary, Path work) {
		return binary.filter((path) -> !path.isBlank())
			.<Sidecar>map((path) -> new MittensProcess(Path.of(path).toAbsolutePath(), work))
			.orElseGet(MittensClient::new);
	}

	/**
	 * Names it in tables and charts.
	 * @return a few words
	 */
	String title();

	/**
	 * Tells why it cannot be had.
	 * @return the reason, a sentence; empty when it can be had
	 */
	default Optional<String> missing() {
		return Optional.empty();
	}

	/**
	 * Sends until the schedule ends. Blocks.
	 * @param target the service's address, without a slash at its end
	 * @param schedule when to send
	 * @param headers what is sent along with each request
	 * @param requests what to choose from
	 * @return what was sent; an answer counts as expected when its status is 2xx
	 */
	Effort warm(URI target, Schedule schedule, Map<String, String> headers, List<StaticRequest> requests);

}
