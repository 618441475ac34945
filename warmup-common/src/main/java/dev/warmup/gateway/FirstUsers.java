package dev.warmup.gateway;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first users of an instance after a run, over at most 20 routes. Thread-safe; nobody
 * waits, and once 100 of a route are counted, a further one costs a look-up of the route
 * and a volatile read.
 */
final class FirstUsers {

	static final int MAX_ROUTES = 20;

	private static final Logger logger = LoggerFactory.getLogger("dev.warmup.status");

	private final Instance instance;

	private final RunRecord run;

	private final BaselineLatency whole;

	private final Map<String, BaselineLatency> steady;

	private final Map<String, FirstHundred> routes = new ConcurrentHashMap<>();

	private final AtomicBoolean told = new AtomicBoolean();

	private volatile Optional<Duration> first = Optional.empty();

	private FirstUsers(Instance instance, RunRecord run, BaselineLatency whole, Map<String, BaselineLatency> steady) {
		this.instance = instance;
		this.run = run;
		this.whole = whole;
		this.steady = Map.copyOf(steady);
	}

	/**
	 * Awaits the first users after a run.
	 * @param instance whose run it was
	 * @param run the run
	 * @param steady what it found steady here by route
	 * @return whom to tell of users, or empty for a run that found nothing steady
	 */
	static Optional<FirstUsers> after(Instance instance, RunRecord run, Map<String, BaselineLatency> steady) {
		return run.steadyP50()
			.map((p50) -> new FirstUsers(instance, run, new BaselineLatency(p50, run.steadyP95().orElse(p50), 0),
					steady));
	}

	/** Whether a request over a route is still to be counted. */
	boolean isAwaited(String route) {
		FirstHundred hundred = this.routes.get(route);
		return (hundred != null) ? !hundred.isFull() : this.routes.size() < MAX_ROUTES;
	}

	/** Counts a request, if it is among the first of its route, and tells of it. */
	void answered(String route, Duration latency, List<GatewayListener> listeners) {
		if (!isAwaited(route)) {
			return;
		}
		this.routes.putIfAbsent(route, new FirstHundred());
		FirstHundred hundred = this.routes.get(route);
		OptionalInt place = hundred.take();
		if (place.isEmpty()) {
			return;
		}
		boolean full = hundred.write(place.getAsInt(), latency);
		if (place.getAsInt() == 0) {
			first(route, latency, listeners);
		}
		if (full) {
			int[] sorted = hundred.sorted();
			FirstUserLatency truth = new FirstUserLatency(this.instance, route, this.run, steady(route),
					FirstHundred.percentile(sorted, 50).orElse(latency),
					FirstHundred.percentile(sorted, 99).orElse(latency));
			listeners.forEach((listener) -> listener.onTruth(truth));
		}
	}

	private void first(String route, Duration latency, List<GatewayListener> listeners) {
		for (GatewayListener listener : listeners) { // no lambda, which would be made now
			listener.onFirstUserRequest(this.instance, route, latency, steady(route));
		}
		if (this.told.compareAndSet(false, true)) {
			this.first = Optional.of(latency);
			logger.info("{}", StatusLine.firstUserRequest(this.instance, latency, steady(route).p50()));
		}
	}

	private BaselineLatency steady(String route) {
		return this.steady.getOrDefault(route, this.whole);
	}

	/** How long the first of all took. */
	Optional<Duration> first() {
		return this.first;
	}

	/** What is counted so far. */
	List<FleetEntry.FirstUsersEntry> entries() {
		return this.routes.entrySet()
			.stream()
			.flatMap((entry) -> entry(entry.getKey(), entry.getValue().sorted()).stream())
			.sorted(Comparator.comparing(FleetEntry.FirstUsersEntry::route))
			.toList();
	}

	private Optional<FleetEntry.FirstUsersEntry> entry(String route, int[] sorted) {
		Duration promised = steady(route).p50();
		return FirstHundred.percentile(sorted, 50)
			.flatMap((p50) -> FirstHundred.percentile(sorted, 99)
				.map((p99) -> new FleetEntry.FirstUsersEntry(route, sorted.length, p50, p99, promised,
						BaselineLatency.ratio(p50, promised))));
	}

}
