package dev.warmup.gateway;

import java.time.Duration;

import dev.warmup.record.Instance;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Publishes {@code warmup.claims} and {@code warmup.first.user.request}. */
public final class GatewayMeters implements GatewayListener {

	private final MeterRegistry registry;

	private final Counter accepted;

	private final Counter rejected;

	/**
	 * Registers the counters.
	 * @param registry where to publish
	 */
	public GatewayMeters(MeterRegistry registry) {
		this.registry = registry;
		this.accepted = claims("accepted");
		this.rejected = claims("rejected");
	}

	private Counter claims(String outcome) {
		return Counter.builder("warmup.claims")
			.description("Requests that claimed to be warm-up")
			.baseUnit("requests")
			.tag("outcome", outcome)
			.register(this.registry);
	}

	@Override
	public void onClaim(boolean believed) {
		(believed ? this.accepted : this.rejected).increment();
	}

	@Override
	public void onFirstUserRequest(Instance instance, Duration latency) {
		Timer.builder("warmup.first.user.request")
			.description("The first user request to an instance after each of its runs, to the last byte")
			.tag("service", instance.service())
			.register(this.registry)
			.record(latency);
	}

}
