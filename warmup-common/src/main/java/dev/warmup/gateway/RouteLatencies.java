package dev.warmup.gateway;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.protocol.Latencies;

/** Warm-up traffic of a run over a route, timed at the gateway. Not thread-safe. */
final class RouteLatencies {

	private static final int BATCH = 50;

	private final String route;

	private final Latencies all = new Latencies();

	private Latencies last = new Latencies();

	private Latencies current = new Latencies();

	private Optional<Duration> first = Optional.empty();

	private long failed;

	RouteLatencies(String route) {
		this.route = route;
	}

	void add(Duration latency, boolean failure) {
		this.first = this.first.or(() -> Optional.of(latency));
		this.all.add(latency);
		if (failure) {
			this.failed++;
			return;
		}
		this.current.add(latency);
		if (this.current.count() == BATCH) {
			this.last = this.current;
			this.current = new Latencies();
		}
	}

	/** The last 50 to 100 that did not fail, or all when there are fewer. */
	Optional<BaselineLatency> steady() {
		Latencies recent = Latencies.sum(this.last, this.current);
		return recent.percentile(50)
			.flatMap((p50) -> recent.percentile(95)
				.map((p95) -> new BaselineLatency(p50, p95, this.all.count() - this.failed)));
	}

	FleetEntry.RouteEntry entry() {
		return new FleetEntry.RouteEntry(this.route, this.all.count(), this.failed, this.first.orElse(Duration.ZERO),
				this.all.percentile(50).orElse(Duration.ZERO), this.all.percentile(95).orElse(Duration.ZERO), ratio());
	}

	private Optional<Double> ratio() {
		return this.first.flatMap((latency) -> steady().map((steady) -> BaselineLatency.ratio(latency, steady.p50())));
	}

}
