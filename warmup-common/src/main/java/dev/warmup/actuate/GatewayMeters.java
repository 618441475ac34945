package dev.warmup.actuate;

import java.util.List;
import java.util.function.ToDoubleFunction;

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
		claims("accepted", fleet, Fleet::accepted);
		claims("rejected", fleet, Fleet::rejected);
	}

	private void claims(String outcome, Fleet source, ToDoubleFunction<Fleet> count) {
		FunctionCounter.builder("warmup.claims", source, count)
			.description("Requests that claimed to be warm-up")
			.baseUnit("requests")
			.tag("outcome", outcome)
			.register(this.registry);
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
