package dev.warmup.gateway;

import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.InstanceAddress;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.web.StrippingWebFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The protocol endpoints, by which instances talk to the gateway itself, below
 * {@value InternalPaths#WARMUP_PATH}. Each response has
 * {@value WarmupClaim#GATEWAY_HEADER}, the gateway's service, by which an instance knows
 * that a gateway with this library answers.
 * <ul>
 * <li>{@code GET /.warmup/instances/{id}} checks the registration of an instance: 204
 * once it is verified and routable, with {@value WarmupClaim#SIBLINGS_HEADER}, how many
 * others of its service take users; 404 until then.
 * <li>{@code PUT /.warmup/runs/{id}} reports a run: 204, 400 for anything but a report of
 * that run, 403 for a claim that does not verify, 413 beyond 64 KiB.
 * <li>{@code DELETE /.warmup/instances/{id}} deregisters an instance that shuts down:
 * 204, 403 for a claim that does not verify.
 * </ul>
 * Where the registry cannot be reached, each answers 503; anything else is 404.
 */
final class ProtocolFilter implements WebFilter, Ordered {

	/**
	 * After the filter that answers probes, which carry no claim, ahead of the one that
	 * removes claims, and like both ahead of Spring Security (-100): the claim is the
	 * credential.
	 */
	static final int ORDER = StrippingWebFilter.ORDER - 1;

	private static final PathPattern RUN = PathPatternParser.defaultInstance.parse(RunReport.PATH + "{id}");

	private static final PathPattern INSTANCE = PathPatternParser.defaultInstance
		.parse(InternalPaths.WARMUP_PATH + "/instances/{id}");

	/** Metadata key, as Spring Cloud registers it in Eureka. */
	private static final String MANAGEMENT_PORT = "management.port";

	private static final Logger logger = LoggerFactory.getLogger(ProtocolFilter.class);

	/** As many as there are services in discovery. */
	private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

	private final Instance.Source self;

	private final ClaimVerifier verifier;

	private final Fleet fleet;

	private final RunReports reports;

	private final Optional<RoutableInstances> routable;

	private final Clock clock;

	ProtocolFilter(Instance.Source self, ClaimVerifier verifier, Fleet fleet, RunReports reports,
			Optional<RoutableInstances> routable, Clock clock) {
		this.self = self;
		this.verifier = verifier;
		this.fleet = fleet;
		this.reports = reports;
		this.routable = routable;
		this.clock = clock;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
		if (!InternalPaths.isOfTheLibrary(path.value())) {
			return chain.filter(exchange);
		}
		ServerHttpResponse response = exchange.getResponse();
		response.getHeaders().set(WarmupClaim.GATEWAY_HEADER, this.self.get().service());
		// shows why a claim is rejected
		response.getHeaders().setDate(this.clock.millis());
		return answer(exchange.getRequest(), path, response.getHeaders()).flatMap((status) -> {
			if (status == HttpStatus.SERVICE_UNAVAILABLE) {
				return WarmupGlobalFilter.retryLater(exchange, status);
			}
			response.setStatusCode(status);
			return response.setComplete();
		});
	}

	private Mono<HttpStatus> answer(ServerHttpRequest request, PathContainer path, HttpHeaders headers) {
		Optional<WarmupClaim> claim = WarmupClaim.parse(request.getHeaders().getOrEmpty(WarmupClaim.HEADER));
		if (request.getMethod().equals(HttpMethod.PUT) && RUN.matches(path)) {
			return report(request, claim, id(RUN, path));
		}
		Optional<WarmupClaim> own = claim
			.filter((candidate) -> INSTANCE.matches(path) && candidate.instanceId().equals(id(INSTANCE, path)));
		if (request.getMethod().equals(HttpMethod.DELETE) && INSTANCE.matches(path)) {
			return own
				.map((candidate) -> verified(candidate, SignedClaim.Scope.LEAVE, HttpStatus.FORBIDDEN,
						(instance) -> deregister(candidate, instance)))
				.orElse(Mono.just(HttpStatus.FORBIDDEN));
		}
		return own.filter((candidate) -> request.getMethod().equals(HttpMethod.GET))
			.map((candidate) -> verified(candidate, SignedClaim.Scope.REPLAY, HttpStatus.NOT_FOUND,
					(claimant) -> register(claimant, headers)))
			.orElse(Mono.just(HttpStatus.NOT_FOUND));
	}

	private Mono<HttpStatus> report(ServerHttpRequest request, Optional<WarmupClaim> claim, String run) {
		return claim.filter((candidate) -> candidate.runId().equals(run))
			.map((candidate) -> verified(candidate, SignedClaim.Scope.REPORT, HttpStatus.FORBIDDEN,
					(reporter) -> this.reports.take(request.getBody(), candidate, reporter)))
			.orElse(Mono.just(HttpStatus.BAD_REQUEST));
	}

	private Mono<HttpStatus> register(Optional<ServiceInstance> known, HttpHeaders headers) {
		return Mono.justOrEmpty(known)
			.doOnNext(this::warnOfPublicActuator)
			.doOnNext(this.fleet::registered)
			.flatMap((claimant) -> Mono.justOrEmpty(this.routable)
				.flatMap((routes) -> routes.registered(claimant).then(routes.siblings(claimant))))
			.doOnNext((siblings) -> headers.set(WarmupClaim.SIBLINGS_HEADER, siblings.toString()))
			.thenReturn(HttpStatus.NO_CONTENT);
	}

	/**
	 * Once for each service: a route forwards whatever it matches, in any spelling.
	 */
	private void warnOfPublicActuator(ServiceInstance instance) {
		String port = InstanceAddress.metadata(instance, MANAGEMENT_PORT).orElse("");
		if (port.equals(Integer.toString(instance.getPort()))
				&& this.warnedOf.add(instance.getServiceId().toLowerCase(Locale.ROOT))) {
			logger.warn(
					"{} has its actuator at the port that this gateway routes to, where a route may make it public. "
							+ "Give it a management.server.port of its own",
					instance.getServiceId().toLowerCase(Locale.ROOT));
		}
	}

	private Mono<HttpStatus> deregister(WarmupClaim claim, Optional<ServiceInstance> known) {
		this.routable.ifPresent((routes) -> routes.deregistered(claim.instanceId(), known));
		this.fleet.left(claim.instanceId());
		return Mono.just(HttpStatus.NO_CONTENT);
	}

	private Mono<HttpStatus> verified(WarmupClaim claim, SignedClaim.Scope scope, HttpStatus refusal,
			Function<Optional<ServiceInstance>, Mono<HttpStatus>> then) {
		return this.verifier.verify(claim, scope).flatMap((verification) -> {
			if (verification instanceof ClaimVerifier.Verification.Verified verified) {
				return then.apply(verified.instance());
			}
			return Mono.just((verification instanceof ClaimVerifier.Verification.Unavailable)
					? HttpStatus.SERVICE_UNAVAILABLE : refusal);
		});
	}

	private static String id(PathPattern pattern, PathContainer path) {
		return Optional.ofNullable(pattern.matchAndExtract(path))
			.map((match) -> match.getUriVariables().get("id"))
			.orElse("");
	}

}
