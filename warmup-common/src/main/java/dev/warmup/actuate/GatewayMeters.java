package dev.warmup.actuate;

import java.util.List;

import dev.warmup.gateway.Fleet;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.event.EventListener;

/**
 * Publishes {@code warmup.claims}, {@code warmup.share}, and
 * {@code warmup.first.user.request}.
 */
final class GatewayMeters {

	private final MeterRegistry registry;

	private final Fleet fleet;

	private final MultiGauge shares;

	GatewayMeters(MeterRegistry registry, Fleet fleet) {
		this.registry = registry;
		this.fleet = fleet;
		this.shares = MultiGauge.builder("warmup.share")
			.description("The share of users that an instance gets, of that of a full member")
			.baseUnit("share")
			.register(registry);
		for (boolean verified : new boolean[] { true, false }) {
			FunctionCounter.builder("warmup.claims", fleet, (source) -> source.claims(verified))
				.description("Requests that claimed to be warm-up")
				.baseUnit("requests")
				.tag("outcome", verified ? "accepted" : "rejected")
				.register(registry);
		}
	}

	@EventListener(Fleet.Changed.class)
	void onFleetChanged() {
		List<MultiGauge.Row<?>> rows = this.fleet.entries()
			.stream().<MultiGauge
					.Row<?>>map(
							(entry) -> MultiGauge.Row.of(
									Tags.of("service", entry.service(), "instance", entry.instanceId()),
									() -> this.fleet.shareOf(entry.instanceId())))
			.toList();
		this.shares.register(rows, true);
	}

	@EventListener
	void onFirstUserRequest(Fleet.FirstUserRequest event) {
		Timer.builder("warmup.first.user.request")
			.description("The first user request to an instance after each run, until the answer began")
			.tag("service", event.instance().service())
			.register(this.registry)
			.record(event.latency());
	}

}
