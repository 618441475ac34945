package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;

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
	 * @param steady what the run found steady
	 */
	default void onFirstUserRequest(Instance instance, String route, Duration latency, BaselineLatency steady) {
	}

	/**
	 * The first 100 user requests over a route after a run were answered.
	 * @param truth what they met
	 */
	default void onTruth(FirstUserLatency truth) {
	}

	/**
	 * A run over a route was reported, for the first time.
	 * @param instance whose run it was
	 * @param run the run
	 * @param route what the gateway saw of it over the route
	 */
	default void onWarmed(Instance instance, RunRecord run, FleetEntry.RouteEntry route) {
	}

	/**
	 * An instance reported a run.
	 * @param report what it says
	 */
	default void onReport(RunReport report) {
	}

}
