package dev.warmup.asked;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a service answers a gateway that asks.
 *
 * @param status the HTTP status
 * @param run the id of the run that was started
 */
record Reply(int status, Optional<String> run) {

	static Reply started(String run) {
		return new Reply(202, Optional.of(run));
	}

	static Reply of(int status) {
		return new Reply(status, Optional.empty());
	}

	/** The body as JSON; a run's id needs no escaping. */
	byte[] body() {
		return this.run.map((id) -> "{\"run\":\"" + id + "\"}").orElse("").getBytes(StandardCharsets.UTF_8);
	}

}
