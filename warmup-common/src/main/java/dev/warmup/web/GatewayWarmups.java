package dev.warmup.web;

import java.nio.charset.StandardCharsets;
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
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.WarmupRunner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Starts a run through a gateway that requests to be warmed, if it is registered: at its
 * registered address, and at most once every 10 seconds. Thread-safe.
 */
final class GatewayWarmups {

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmups.class);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Map<String, Trigger> TRIGGERS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE);

	private final ClaimVerifier verifier;

	private final String gatewayServiceId;

	private final WarmupRunner runner;

	private final Clock clock;

	private final Map<String, Instant> granted = new ConcurrentHashMap<>();

	GatewayWarmups(ClaimVerifier verifier, String gatewayServiceId, WarmupRunner runner, Clock clock) {
		this.verifier = verifier;
		this.gatewayServiceId = gatewayServiceId;
		this.runner = runner;
		this.clock = clock;
	}

	/**
	 * Handles a gateway's request.
	 * @param gatewayId the gateway's instance id
	 * @param claims the values of its header {@value WarmupClaim#HEADER}
	 * @param trigger the trigger of the run: {@code startup} or {@code idle}
	 * @return 202 with the run's id; 400 for another trigger; 403 unless the claim is a
	 * registered instance's; 404 for one of another service than the gateway, and when
	 * there is nothing to send; 409 while a run is in progress, two if this instance is
	 * RAMPING, or it was not warmed itself; 429 within 10 seconds of the gateway's last
	 * run; 503 when the claim cannot be verified or the catalog cannot be read, and when
	 * that takes longer than 5 seconds. Never empty, never fails
	 */
	Mono<Result> request(String gatewayId, List<String> claims, String trigger) {
		Optional<Trigger> wanted = Optional.ofNullable(TRIGGERS.get(trigger));
		if (wanted.isEmpty()) {
			return Mono.just(Result.of(400));
		}
		return Mono
			.justOrEmpty(WarmupClaim.parse(claims)
				.filter((each) -> each.instanceId().equals(gatewayId) && each.jwt().isPresent()))
			.flatMap((each) -> this.verifier.verify(each, SignedClaim.Scope.ASK))
			.defaultIfEmpty(new ClaimVerifier.Verification.Rejected())
			.flatMap((verification) -> handle(verification, gatewayId, wanted.get()))
			.timeout(TIMEOUT)
			.onErrorResume((error) -> {
				logger.warn("No run can be started through gateway {}: {}", gatewayId, error.toString());
				return Mono.just(Result.of(503));
			});
	}

	private Mono<Result> handle(ClaimVerifier.Verification verification, String gatewayId, Trigger trigger) {
		if (verification instanceof ClaimVerifier.Verification.Unavailable) {
			return Mono.just(Result.of(503));
		}
		Optional<ServiceInstance> registered = registered(verification, gatewayId);
		if (registered.isEmpty()) {
			return Mono.just(Result.of(403));
		}
		ServiceInstance instance = registered.get();
		if (!this.gatewayServiceId.equalsIgnoreCase(instance.getServiceId())) {
			return Mono.just(Result.of(404));
		}
		return this.runner.hasWork(trigger)
			.map((work) -> work ? start(new Gateway(gatewayId, InstanceAddress.base(instance)), trigger)
					: Result.of(404));
	}

	private static Optional<ServiceInstance> registered(ClaimVerifier.Verification verification, String gatewayId) {
		return (verification instanceof ClaimVerifier.Verification.Verified verified)
				? verified.instance().filter((instance) -> gatewayId.equals(instance.getInstanceId()))
				: Optional.empty();
	}

	/**
	 * The instance's own first run goes through all gateways, and must not find the
	 * runner busy.
	 */
	private Result start(Gateway gateway, Trigger trigger) {
		if (this.runner.isFirstRunDue()) {
			return Result.of(409);
		}
		Instant now = this.clock.instant();
		this.granted.values().removeIf((last) -> !now.isBefore(last.plus(PAUSE)));
		if (this.granted.containsKey(gateway.id())) {
			return Result.of(429);
		}
		Optional<String> run = this.runner.startThrough(trigger, gateway);
		run.ifPresent((id) -> this.granted.put(gateway.id(), now));
		return new Result(run.isPresent() ? 202 : 409, run);
	}

	/** The HTTP status for a gateway, and the id of the run that was started. */
	record Result(int status, Optional<String> run) {

		static Result of(int status) {
			return new Result(status, Optional.empty());
		}

		/** The body as JSON; a run's id needs no escaping. */
		byte[] body() {
			return this.run.map((id) -> "{\"run\":\"" + id + "\"}").orElse("").getBytes(StandardCharsets.UTF_8);
		}

	}

}
