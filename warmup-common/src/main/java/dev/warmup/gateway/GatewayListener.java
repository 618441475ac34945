package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.record.Instance;
import dev.warmup.report.RunReport;

/** Is told what the gateway sees. Must not block. */
public interface GatewayListener {

	/**
	 * A request claimed to be warm-up.
	 * @param outcome what came of it
	 */
	default void onClaim(ClaimOutcome outcome) {
	}

	/**
	 * The first user request over a route after a run was answered.
	 * @param instance who answered
	 * @param route the route's id
	 * @param latency how long it took until the answer began
	 */
	default void onFirstUserRequest(Instance instance, String route, Duration latency) {
	}

	/**
	 * The first 100 user requests over a route after a run were answered.
	 * @param truth what they met
	 */
	default void onTruth(Truth truth) {
	}

	/**
	 * An instance reported a run.
	 * @param report what it says
	 */
	default void onReport(RunReport report) {
	}

}
