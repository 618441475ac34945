package dev.warmup.run;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import dev.warmup.Gateway;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.Retries.NoRouteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Calls the protocol endpoints of gateways: registration check, siblings, report, report
 * dry run, and deregistration. A gateway has 5 s to answer each. Thread-safe.
 */
class GatewayClient {

	/** The protocol endpoint of one instance, whose id follows. */
	private static final String INSTANCES_PATH = "/.warmup/instances/";

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/**
	 * How often a report or deregistration is retried at a gateway that cannot verify it
	 * yet.
	 */
	private static final int UNVERIFIED_AT_MOST = 5;

	private static final Duration UNVERIFIED_PAUSE = Duration.ofMillis(200);

	private static final Logger logger = LoggerFactory.getLogger(GatewayClient.class);

	private final WebClient client;

	private final WarmupKey key;

	private final String gatewayServiceId;

	private final Clock clock;

	private final JsonMapper json = JsonMapper.shared();

	/**
	 * Claims are for the service id of the gateways where only their common address is
	 * known.
	 */
	GatewayClient(WebClient client, WarmupKey key, String gatewayServiceId, Clock clock) {
		this.client = client;
		this.key = key;
		this.gatewayServiceId = gatewayServiceId;
		this.clock = clock;
	}

	/**
	 * Makes the claim of an instance, with a proof for this gateway, purpose, and run.
	 */
	WarmupClaim claim(Gateway gateway, String instanceId, SignedClaim.Scope scope, String runId) {
		return this.key.claim(instanceId, isAddress(gateway) ? this.gatewayServiceId : gateway.id(), scope, runId);
	}

	/**
	 * Asks whether the gateway accepts the claimant, before anything is sent through it:
	 * one that verifies no claims would route that to any instance, as a user's request.
	 * @return completes if it does; fails with {@link NoRouteException} otherwise, and
	 * with {@link UnsupportedException} where waiting would not help
	 */
	Mono<Void> checkRegistration(Gateway gateway, WarmupClaim claim) {
		if (gateway.uri().getHost() == null) {
			return Mono
				.error(new UnsupportedException(("gateway %s cannot be reached: %s has no valid host name, which has"
						+ " letters, digits, and hyphens; set eureka.instance.prefer-ip-address there, or warmup.gateway.url")
					.formatted(gateway.id(), gateway.uri())));
		}
		return instance(HttpMethod.GET, gateway, claim)
			.onErrorMap((error) -> new NoRouteException(
					"gateway %s cannot be reached: %s".formatted(gateway.id(), rootMessage(error))))
			.doOnNext((answer) -> requireAccepted(answer, gateway, claim))
			.then();
	}

	private void requireAccepted(ResponseEntity<Void> answer, Gateway gateway, WarmupClaim claim) {
		int status = answer.getStatusCode().value();
		if (!isOfGateway(answer)) {
			throw (status / 100 == 5) ? new NoRouteException(
					"gateway %s answered the registration check with %d: it is not ready, or has no warmup-common"
						.formatted(gateway.id(), status))
					: new UnsupportedException(
							("gateway %s does not answer as one with warmup-common (%d to the registration check);"
									+ " add dev.warmup:warmup-common to it, and do not set warmup.enabled=false there")
								.formatted(gateway.id(), status));
		}
		if (status == HttpStatus.FORBIDDEN.value() || status == HttpStatus.NOT_FOUND.value()) {
			throw new NoRouteException("gateway %s does not know %s yet%s".formatted(gateway.id(), claim.instanceId(),
					isReadable(claim) ? clockDifference(answer.getHeaders()) + secret(gateway)
							: "; claims allow for letters, digits, and _ . : [ ] % @ / - in an instance's id"));
		}
		if (status != HttpStatus.NO_CONTENT.value()) {
			throw new NoRouteException(
					"gateway %s cannot look up %s now: %d".formatted(gateway.id(), claim.instanceId(), status));
		}
	}

	private static boolean isReadable(WarmupClaim claim) {
		return WarmupClaim.parse(claim.format()).isPresent();
	}

	/** Empty where the key of this instance should be in the gateway's registry. */
	private String secret(Gateway gateway) {
		if (this.key.jwk().isEmpty()) {
			return "; both need the same warmup.token";
		}
		return isAddress(gateway) ? "; without a registry that has both, they need the same warmup.token" : "";
	}

	private static boolean isAddress(Gateway gateway) {
		return gateway.id().contains("://");
	}

	/**
	 * Empty where the gateway's clock is near enough to this one for claims to be valid.
	 */
	private String clockDifference(HttpHeaders headers) {
		try {
			long date = headers.getDate();
			Duration difference = Duration.between(this.clock.instant(), Instant.ofEpochMilli(date)).abs();
			return (date < 0 || difference.compareTo(SignedClaim.LEEWAY) <= 0) ? ""
					: "; its clock and this instance's differ by %d s, and claims allow for %d s"
						.formatted(difference.toSeconds(), SignedClaim.LEEWAY.toSeconds());
		}
		catch (IllegalArgumentException ex) { // no date at all
			return "";
		}
	}

	/**
	 * Asks how many others of the claimant's service take users.
	 * @return their number, or 0 where the gateway does not know; never fails
	 */
	Mono<Long> siblings(Gateway gateway, WarmupClaim claim) {
		return instance(HttpMethod.GET, gateway, claim)
			.map((answer) -> Optional.ofNullable(answer.getHeaders().getFirst(WarmupClaim.SIBLINGS_HEADER))
				.map(Long::valueOf)
				.orElse(0L))
			.onErrorResume((error) -> {
				logger.debug("Gateway {} does not know who else serves: {}", gateway.id(), rootMessage(error));
				return Mono.just(0L);
			});
	}

	/**
	 * Announces that the claimant is about to stop, so that the gateway sends no more
	 * users to it; again while the gateway cannot verify it.
	 * @return whether the gateway confirmed that; never fails
	 */
	Mono<Boolean> deregister(Gateway gateway, WarmupClaim claim) {
		return instance(HttpMethod.DELETE, gateway, claim)
			.filter((answer) -> answer.getStatusCode().value() != HttpStatus.SERVICE_UNAVAILABLE.value())
			.repeatWhenEmpty(
					(times) -> times.takeWhile((count) -> count < UNVERIFIED_AT_MOST).delayElements(UNVERIFIED_PAUSE))
			.map((answer) -> answer.getStatusCode().value() == HttpStatus.NO_CONTENT.value() && isOfGateway(answer))
			.defaultIfEmpty(false)
			.onErrorResume((error) -> {
				logger.debug("This instance is not deregistered from gateway {}: {}", gateway.id(), rootMessage(error));
				return Mono.just(false);
			});
	}

	private static boolean isOfGateway(ResponseEntity<Void> answer) {
		return answer.getHeaders().containsHeader(WarmupClaim.GATEWAY_HEADER);
	}

	private static boolean isForeign(Throwable error) {
		return error instanceof WebClientResponseException answer
				&& !answer.getHeaders().containsHeader(WarmupClaim.GATEWAY_HEADER);
	}

	private Mono<ResponseEntity<Void>> instance(HttpMethod method, Gateway gateway, WarmupClaim claim) {
		String path = INSTANCES_PATH + UriUtils.encodePathSegment(claim.instanceId(), StandardCharsets.UTF_8);
		return withinLimit(() -> request(method, gateway, path, claim).retrieve()
			.onStatus((status) -> true, (response) -> Mono.empty())
			.toBodilessEntity());
	}

	/**
	 * Reports a run, again while the gateway cannot verify it. A report that the gateway
	 * does not accept is logged.
	 * @return whether it did; never fails
	 */
	Mono<Boolean> report(Gateway gateway, RunReport report) {
		Retry unverified = Retry.fixedDelay(UNVERIFIED_AT_MOST, UNVERIFIED_PAUSE)
			.filter(WebClientResponseException.ServiceUnavailable.class::isInstance)
			.onRetryExhaustedThrow((spec, last) -> last.failure());
		return put(gateway, report).retryWhen(unverified).thenReturn(true).onErrorResume((error) -> {
			logger.warn("Gateway {} did not accept the report of run {}: {}{}", gateway.id(), report.run().id(),
					error.getMessage(), isForeign(error) ? ". Does it have warmup-common?" : "");
			return Mono.just(false);
		});
	}

	/**
	 * Sends the report of a run under way, which the gateway reads and discards. It warms
	 * the code of both ends: a JVM discards what it compiled for warm-up requests alone
	 * when the report first takes another branch of it, which would be just before the
	 * first users arrive.
	 * @return completes when it is read or given up; never fails
	 */
	Mono<Void> reportDryRun(Gateway gateway, RunReport report) {
		return put(gateway, report).onErrorResume((error) -> {
			logger.debug("The report dry run of run {} at gateway {} failed", report.run().id(), gateway.id(), error);
			return Mono.empty();
		});
	}

	private Mono<Void> put(Gateway gateway, RunReport report) {
		String id = report.run().id();
		return withinLimit(() -> request(HttpMethod.PUT, gateway, RunReport.PATH + id,
				claim(gateway, report.instanceId(), SignedClaim.Scope.REPORT, id))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body(report))
			.exchangeToMono((answer) -> isAccepted(answer) ? answer.releaseBody() : answer.createError()));
	}

	/** Something else may answer in place of a gateway, such as a login page. */
	private static boolean isAccepted(ClientResponse answer) {
		return answer.statusCode().value() == HttpStatus.NO_CONTENT.value()
				&& answer.headers().asHttpHeaders().containsHeader(WarmupClaim.GATEWAY_HEADER);
	}

	/** Without the figures of each request where it would be longer than 64 KiB. */
	private byte[] body(RunReport report) {
		byte[] whole = this.json.writeValueAsBytes(report);
		return (whole.length <= RunReport.MAX_BYTES) ? whole
				: this.json.writeValueAsBytes(new RunReport(report.service(), report.instanceId(), report.phase(),
						report.gate(), report.run().withoutRequests()));
	}

	private WebClient.RequestBodySpec request(HttpMethod method, Gateway gateway, String path, WarmupClaim claim) {
		return this.client.method(method)
			.uri(UriComponentsBuilder.fromUri(gateway.uri()).path(path).build(true).toUri())
			.header(WarmupClaim.HEADER, claim.format());
	}

	private static <T> Mono<T> withinLimit(Supplier<Mono<T>> exchange) {
		return Mono.defer(exchange)
			.timeout(LIMIT, Mono.error(() -> new TimeoutException("no answer within " + LIMIT.toSeconds() + " s")));
	}

	/** The message of what went wrong below {@link WebClient}. */
	static String rootMessage(Throwable error) {
		Throwable cause = (error instanceof WebClientRequestException && error.getCause() != null) ? error.getCause()
				: error;
		return String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName());
	}

	/** What answered is no gateway that verifies claims. */
	static final class UnsupportedException extends NoRouteException {

		UnsupportedException(String reason) {
			super(reason);
		}

	}

}
