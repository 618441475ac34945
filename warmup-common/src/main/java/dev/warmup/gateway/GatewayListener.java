package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.record.Instance;

/** Is told what the gateway sees. Must not block. */
public interface GatewayListener {

	/**
	 * A request claimed to be warm-up.
	 * @param outcome what came of it
	 */
	void onClaim(ClaimOutcome outcome);

	/**
	 * The first user request after a run was answered.
	 * @param instance who answered
	 * @param latency how long it took, to the last byte
	 */
	void onFirstUserRequest(Instance instance, Duration latency);

}
