package dev.warmup.actuate;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.gateway.GatewayListener;
import dev.warmup.loadbalancer.UserShares;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Publishes {@code warmup.claims}, {@code warmup.share}, and
 * {@code warmup.first.user.request}.
 */
final class GatewayMeters implements GatewayListener {

	private final MeterRegistry registry;

	private final Map<GatewayListener.ClaimOutcome, Counter> claims = new EnumMap<>(GatewayListener.ClaimOutcome.class);

	private final Optional<UserShares> shares;

	/** Of instances that were RAMPING when the last one began to, by their id. */
	private final Map<String, Gauge> ramping = new ConcurrentHashMap<>();

	/** Registers the counters. */
	GatewayMeters(MeterRegistry registry, Optional<UserShares> shares) {
		this.registry = registry;
		this.shares = shares;
		for (GatewayListener.ClaimOutcome outcome : GatewayListener.ClaimOutcome.values()) {
			this.claims.put(outcome,
					Counter.builder("warmup.claims")
						.description("Requests that claimed to be warm-up; deferred ones count as accepted, too")
						.baseUnit("requests")
						.tag("outcome", lower(outcome))
						.register(registry));
		}
	}

	@Override
	public void onClaim(GatewayListener.ClaimOutcome outcome) {
		Optional.ofNullable(this.claims.get(outcome)).ifPresent(Counter::increment);
	}

	/** Gauges of instances that are full members by now are removed. */
	@Override
	public synchronized void onRamping(RunReport report) {
		this.shares.ifPresent((source) -> {
			this.ramping.keySet()
				.stream()
				.filter((id) -> source.of(id) == 1)
				.toList()
				.forEach((id) -> Optional.ofNullable(this.ramping.remove(id)).ifPresent(this.registry::remove));
			this.ramping.computeIfAbsent(report.instanceId(),
					(id) -> Gauge.builder("warmup.share", source, (shares) -> shares.of(id))
						.description("The routing weight of an instance that is, or was last, RAMPING; "
								+ "any other instance has 1")
						.baseUnit("share")
						.tag("service", report.service())
						.tag("instance", id)
						.register(this.registry));
		});
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

	private static String lower(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
