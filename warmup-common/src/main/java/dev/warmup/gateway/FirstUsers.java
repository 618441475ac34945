package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Measures the first {@value #REQUESTS} user requests to an instance over each of at most
 * 20 routes after a run. Logs the very first, and the first {@value #REQUESTS} of each
 * route: at WARN when their median exceeds that of the run by more than a factor of 3.
 * Thread-safe.
 */
final class FirstUsers {

	static final int MAX_ROUTES = 20;

	/** How many user requests of each route are measured. */
	static final int REQUESTS = 100;

	/**
	 * Beyond it, users noticeably do not get what the run measured; below, the ratio
	 * varies with load and with the mix of requests.
	 */
	private static final int FACTOR = 3;

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Instance instance;

	private final Baseline wholeRun;

	private final Map<String, Baseline> baselines;

	private final Map<String, Latencies> routes = new TreeMap<>();

	private Optional<Duration> first = Optional.empty();

	private FirstUsers(Instance instance, Baseline wholeRun, Map<String, Baseline> baselines) {
		this.instance = instance;
		this.wholeRun = wholeRun;
		this.baselines = Map.copyOf(baselines);
	}

	/** Starts measuring; empty after a run without a steady latency to compare with. */
	static Optional<FirstUsers> after(Instance instance, RunRecord run, Map<String, Baseline> baselines) {
		return run.steadyP50()
			.map((p50) -> new FirstUsers(instance, new Baseline(p50, run.steadyP95().orElse(p50)), baselines));
	}

	/** Whether a request over a route is still to be measured. */
	synchronized boolean isAwaited(String route) {
		Latencies latencies = this.routes.get(route);
		return (latencies != null) ? latencies.count() < REQUESTS : this.routes.size() < MAX_ROUTES;
	}

	/** Adds a request, if it is still to be measured; {@code log} is for what follows. */
	synchronized void add(String route, Duration latency, Listeners<GatewayListener> listeners, Executor log) {
		if (!isAwaited(route)) {
			return;
		}
		Latencies latencies = this.routes.computeIfAbsent(route, (key) -> new Latencies());
		latencies.add(latency);
		if (latencies.count() == 1) {
			log.execute(() -> listeners.each((listener) -> listener.onFirstUserRequest(this.instance, route, latency)));
		}
		if (this.first.isEmpty()) {
			this.first = Optional.of(latency);
			log.execute(() -> logger.info("{}",
					StatusLine.firstUserRequest(this.instance, latency, baseline(route).p50())));
		}
		if (latencies.count() == REQUESTS) {
			Fleet.Entry.FirstUsersEntry measured = entry(route, latencies);
			log.execute(() -> log(measured, baseline(route)));
		}
	}

	private void log(Fleet.Entry.FirstUsersEntry measured, Baseline baseline) {
		String line = StatusLine.firstUserRequests(this.instance, REQUESTS, printable(measured.route()), measured.p50(),
				baseline.p50(), measured.p99(), baseline.p95());
		logger.atLevel((measured.ratio() > FACTOR) ? Level.WARN : Level.INFO).log("{}", line);
	}

	/** Routes may be created at run time, with any id. */
	private static String printable(String route) {
		return route.replaceAll("[\\p{Cc}\\u2028\\u2029]", "?");
	}

	private Baseline baseline(String route) {
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
				latencies.percentile(99).orElse(Duration.ZERO), baseline, Latencies.ratio(p50, baseline));
	}

	/**
	 * The latency of warm-up over a route, which users' latency is compared with.
	 *
	 * @param p50 the median of the run's last 50 to 100 requests over the route, until
	 * the response was committed here; where none took the route, the steady median of
	 * the whole run
	 * @param p95 the 95th percentile of the same
	 */
	record Baseline(Duration p50, Duration p95) {

	}

}
