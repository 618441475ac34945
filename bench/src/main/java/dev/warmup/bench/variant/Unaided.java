package dev.warmup.bench.variant;

import java.util.Map;

/** A variant that runs the stack with the library switched off. */
interface Unaided extends Variant {

	/** The service that is warmed past the gateway. */
	String SERVICE = "chat-service-1";

	@Override
	default Map<String, String> settings() {
		return Map.of("WARMUP_ENABLED", "false");
	}

}
