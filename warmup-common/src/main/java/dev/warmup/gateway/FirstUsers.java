package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the first {@value FirstUserLatency#REQUESTS} user requests to an instance over
 * each of at most 20 routes after a run. Thread-safe.
 */
final class FirstUsers {

	static final int MAX_ROUTES = 20;

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Instance instance;

	private final RunRecord run;

	private final FirstUserLatency.Baseline wholeRun;

	private final Map<String, FirstUserLatency.Baseline> baselines;

	private final Map<String, Latencies> routes = new TreeMap<>();

	private Optional<Duration> first = Optional.empty();

	private FirstUsers(Instance instance, RunRecord run, FirstUserLatency.Baseline wholeRun,
			Map<String, FirstUserLatency.Baseline> baselines) {
		this.instance = instance;
		this.run = run;
		this.wholeRun = wholeRun;
		this.baselines = Map.copyOf(baselines);
	}

	/** Starts measuring; empty after a run without a steady latency to compare with. */
	static Optional<FirstUsers> after(Instance instance, RunRecord run,
			Map<String, FirstUserLatency.Baseline> baselines) {
		return run.steadyP50()
			.map((p50) -> new FirstUsers(instance, run,
					new FirstUserLatency.Baseline(p50, run.steadyP95().orElse(p50), 0), baselines));
	}

	/** Whether a request over a route is still to be measured. */
	synchronized boolean isAwaited(String route) {
		Latencies latencies = this.routes.get(route);
		return (latencies != null) ? latencies.count() < FirstUserLatency.REQUESTS : this.routes.size() < MAX_ROUTES;
	}

	/** Adds a request, if it is still to be measured. */
	synchronized void add(String route, Duration latency, List<GatewayListener> listeners) {
		if (!isAwaited(route)) {
			return;
		}
		Latencies latencies = this.routes.computeIfAbsent(route, (key) -> new Latencies());
		latencies.add(latency);
		if (latencies.count() == 1) {
			first(route, latency, listeners);
		}
		if (latencies.count() == FirstUserLatency.REQUESTS) {
			FirstUserLatency result = new FirstUserLatency(this.instance, route, this.run, baseline(route),
					latencies.percentile(50).orElse(latency), latencies.percentile(99).orElse(latency));
			listeners.forEach((listener) -> listener.onFirstUserLatency(result));
		}
	}

	private void first(String route, Duration latency, List<GatewayListener> listeners) {
		listeners.forEach((listener) -> listener.onFirstUserRequest(this.instance, route, latency, baseline(route)));
		if (this.first.isEmpty()) {
			this.first = Optional.of(latency);
			logger.info("{}", StatusLine.firstUserRequest(this.instance, latency, baseline(route).p50()));
		}
	}

	private FirstUserLatency.Baseline baseline(String route) {
		return this.baselines.getOrDefault(route, this.wholeRun);
	}

	/** The latency of the first request over any route. */
	synchronized Optional<Duration> first() {
		return this.first;
	}

	/** What was measured so far, by route. */
	synchronized List<Fleet.Entry.FirstUsersEntry> entries() {
		return this.routes.entrySet().stream().map((entry) -> entry(entry.getKey(), entry.getValue())).toList();
	}

	private Fleet.Entry.FirstUsersEntry entry(String route, Latencies latencies) {
		Duration baseline = baseline(route).p50();
		Duration p50 = latencies.percentile(50).orElse(Duration.ZERO);
		return new Fleet.Entry.FirstUsersEntry(route, (int) latencies.count(), p50,
				latencies.percentile(99).orElse(Duration.ZERO), baseline,
				FirstUserLatency.Baseline.ratio(p50, baseline));
	}

}
