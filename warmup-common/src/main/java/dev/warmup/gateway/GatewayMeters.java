package dev.warmup.gateway;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.warmup.record.Instance;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Publishes {@code warmup.claims} and {@code warmup.first.user.request}. */
public final class GatewayMeters implements GatewayListener {

	private final MeterRegistry registry;

	private final Map<ClaimOutcome, Counter> claims = new EnumMap<>(ClaimOutcome.class);

	/**
	 * Registers the counters.
	 * @param registry where to publish
	 */
	public GatewayMeters(MeterRegistry registry) {
		this.registry = registry;
		for (ClaimOutcome outcome : ClaimOutcome.values()) {
			this.claims.put(outcome, claims(outcome.name().toLowerCase(Locale.ROOT)));
		}
	}

	private Counter claims(String outcome) {
		return Counter.builder("warmup.claims")
			.description("Requests that claimed to be warm-up; the deferred are among the accepted")
			.baseUnit("requests")
			.tag("outcome", outcome)
			.register(this.registry);
	}

	@Override
	public void onClaim(ClaimOutcome outcome) {
		Optional.ofNullable(this.claims.get(outcome)).ifPresent(Counter::increment);
	}

	@Override
	public void onFirstUserRequest(Instance instance, String route, Duration latency) {
		Timer.builder("warmup.first.user.request")
			.description("The first user request to an instance over a route after each run, until the answer began")
			.tag("service", instance.service())
			.tag("route", route)
			.register(this.registry)
			.record(latency);
	}

}
