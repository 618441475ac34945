package dev.warmup.web;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.Gateway;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.Verification;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Starts a run through a gateway that asks for it, if that is one that is registered: at
 * the address where it is registered, and not more often than every 10 s. Thread-safe.
 */
public final class GatewayWarmups {

	static final Duration PAUSE = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmups.class);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final Map<String, Trigger> TRIGGERS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE);

	private final ClaimVerifier verifier;

	private final String gatewayServiceId;

	private final WarmupRunner runner;

	private final WarmupState state;

	private final Clock clock;

	private final Map<String, Instant> granted = new ConcurrentHashMap<>();

	/**
	 * Creates the answers.
	 * @param verifier decides who a gateway is
	 * @param gatewayServiceId the gateway's name in discovery
	 * @param runner carries out the runs
	 * @param state tells whether the instance is through its own first run
	 * @param clock the source of time
	 */
	public GatewayWarmups(ClaimVerifier verifier, String gatewayServiceId, WarmupRunner runner, WarmupState state,
			Clock clock) {
		this.verifier = verifier;
		this.gatewayServiceId = gatewayServiceId;
		this.runner = runner;
		this.state = state;
		this.clock = clock;
	}

	/**
	 * Answers a gateway.
	 * @param gatewayId who it says it is
	 * @param claims the values of its header {@value WarmupClaim#HEADER}
	 * @param trigger what the run is for: {@code startup} or {@code idle}
	 * @return 202 with the run's id; 400 for another trigger; 403 when the asker is not a
	 * registered gateway; 404 when there is nothing to send; 409 while a run is under
	 * way, or the instance not warm itself; 429 when the gateway was granted one just
	 * now; 503 when nobody can tell. Never empty, never fails
	 */
	Mono<GatewayWarmupReply> answer(String gatewayId, List<String> claims, String trigger) {
		Optional<Trigger> wanted = Optional.ofNullable(TRIGGERS.get(trigger));
		if (wanted.isEmpty()) {
			return Mono.just(GatewayWarmupReply.of(400));
		}
		Optional<WarmupClaim> claim = (claims.size() == 1) ? WarmupClaim.parse(claims.get(0)) : Optional.empty();
		return Mono.justOrEmpty(claim.filter((each) -> each.instanceId().equals(gatewayId) && each.token().isPresent()))
			.flatMap(this.verifier::verify)
			.defaultIfEmpty(new Verification.Rejected())
			.flatMap((verification) -> answer(verification, gatewayId, wanted.get()))
			.timeout(LIMIT)
			.onErrorResume((error) -> {
				logger.warn("Cannot tell whether gateway {} may ask to be warmed: {}", gatewayId, error.toString());
				return Mono.just(GatewayWarmupReply.of(503));
			});
	}

	private Mono<GatewayWarmupReply> answer(Verification verification, String gatewayId, Trigger trigger) {
		if (verification instanceof Verification.Unavailable) {
			return Mono.just(GatewayWarmupReply.of(503));
		}
		return Mono.justOrEmpty(registered(verification, gatewayId))
			.flatMap((gateway) -> this.runner.hasWork(trigger)
				.map((work) -> work ? start(new Gateway(gatewayId, InstanceAddress.uri(gateway)), trigger)
						: GatewayWarmupReply.of(404)))
			.defaultIfEmpty(GatewayWarmupReply.of(403));
	}

	private Optional<ServiceInstance> registered(Verification verification, String gatewayId) {
		return (verification instanceof Verification.Verified verified) ? verified.instance()
			.filter((instance) -> this.gatewayServiceId.equalsIgnoreCase(instance.getServiceId())
					&& gatewayId.equals(instance.getInstanceId()))
				: Optional.empty();
	}

	/**
	 * The instance's own first run, or its next attempt at that, goes through all
	 * gateways, and must not find the runner taken.
	 */
	private GatewayWarmupReply start(Gateway gateway, Trigger trigger) {
		Phase phase = this.state.phase().phase();
		if (phase == Phase.COLD || phase == Phase.FAILED) {
			return GatewayWarmupReply.of(409);
		}
		Instant now = this.clock.instant();
		this.granted.values().removeIf((last) -> !now.isBefore(last.plus(PAUSE)));
		if (this.granted.containsKey(gateway.id())) {
			return GatewayWarmupReply.of(429);
		}
		Optional<String> run = this.runner.startThrough(trigger, gateway);
		run.ifPresent((id) -> this.granted.put(gateway.id(), now));
		return run.map(GatewayWarmupReply::started).orElseGet(() -> GatewayWarmupReply.of(409));
	}

}
