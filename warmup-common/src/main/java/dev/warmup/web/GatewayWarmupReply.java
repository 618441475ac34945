package dev.warmup.web;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a service answers a gateway that asks.
 *
 * @param status the HTTP status
 * @param run the id of the run that was started
 */
record GatewayWarmupReply(int status, Optional<String> run) {

	static GatewayWarmupReply started(String run) {
		return new GatewayWarmupReply(202, Optional.of(run));
	}

	static GatewayWarmupReply of(int status) {
		return new GatewayWarmupReply(status, Optional.empty());
	}

	/** The body as JSON; a run's id needs no escaping. */
	byte[] body() {
		return this.run.map((id) -> "{\"run\":\"" + id + "\"}").orElse("").getBytes(StandardCharsets.UTF_8);
	}

}
