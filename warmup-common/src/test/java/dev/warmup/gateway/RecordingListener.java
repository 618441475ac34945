package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;

/** Keeps a line of each call. */
class RecordingListener implements GatewayListener {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	/** In order; a test may add to it what happens in between. */
	List<String> calls() {
		return this.calls;
	}

	@Override
	public void onClaim(ClaimOutcome outcome) {
		this.calls.add(outcome.name());
	}

	@Override
	public void onFirstUserRequest(Instance instance, String route, Duration latency) {
		this.calls.add(route + " " + latency.toMillis());
	}

	@Override
	public void onRamping(RunReport report) {
		this.calls.add("ramping");
	}

	@Override
	public void onReport(RunReport report) {
		this.calls.add("report " + report.gate());
	}

}
