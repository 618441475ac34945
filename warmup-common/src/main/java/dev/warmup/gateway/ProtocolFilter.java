package dev.warmup.gateway;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.web.ReadyWebFilter;
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
 * Where instances speak with the gateway itself, below
 * {@value InternalPaths#WARMUP_PATH}; each answer names the gateway in
 * {@value WarmupClaim#GATEWAY_HEADER}.
 * <ul>
 * <li>{@code GET /.warmup/instances/{id}} asks whether the gateway believes the instance:
 * 204, or 404 when it does not, or not yet.
 * <li>{@code PUT /.warmup/runs/{id}} reports a run: 204, 400 for what is no report of
 * that run, 403 for a claim that is not believed, 413 beyond 64 KiB.
 * <li>{@code PUT /.warmup/rehearsals/{id}} has a report of a run that is under way read
 * and forgotten, and is answered as if it were over.
 * <li>{@code DELETE /.warmup/instances/{id}} says that the instance is about to go: 204,
 * 403 for a claim that is not believed.
 * </ul>
 * Where the registry cannot be asked, each is answered by 503, and all else by 404.
 */
public final class ProtocolFilter implements WebFilter, Ordered {

	/**
	 * After the answer to probes, which knock there without a claim, and as that one
	 * ahead of Spring Security (-100): the claim is the credential.
	 */
	public static final int ORDER = ReadyWebFilter.ORDER + 1;

	private static final PathPattern RUN = PathPatternParser.defaultInstance.parse(RunReport.PATH + "{id}");

	private static final PathPattern REHEARSAL = PathPatternParser.defaultInstance
		.parse(RunReport.DRY_RUN_PATH + "{id}");

	private static final PathPattern INSTANCE = PathPatternParser.defaultInstance
		.parse(InternalPaths.WARMUP_PATH + "/instances/{id}");

	private final Supplier<String> gatewayId;

	private final ClaimVerifier verifier;

	private final RunReports reports;

	private final Optional<RoutableInstances> routable;

	/**
	 * Creates the filter.
	 * @param gatewayId the name of this gateway in discovery, asked for at each answer
	 * @param verifier decides whom to believe
	 * @param reports takes reports in
	 * @param routable is told of instances that knock, and of those that are about to go
	 */
	public ProtocolFilter(Supplier<String> gatewayId, ClaimVerifier verifier, RunReports reports,
			Optional<RoutableInstances> routable) {
		this.gatewayId = gatewayId;
		this.verifier = verifier;
		this.reports = reports;
		this.routable = routable;
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
		response.getHeaders().set(WarmupClaim.GATEWAY_HEADER, this.gatewayId.get());
		return answer(exchange.getRequest(), path).flatMap((status) -> {
			response.setStatusCode(status);
			if (status == HttpStatus.SERVICE_UNAVAILABLE) {
				response.getHeaders().set(HttpHeaders.RETRY_AFTER, WarmupGlobalFilter.RETRY_AFTER);
			}
			return response.setComplete();
		});
	}

	private Mono<HttpStatus> answer(ServerHttpRequest request, PathContainer path) {
		Optional<WarmupClaim> claim = claim(request);
		if (request.getMethod().equals(HttpMethod.PUT) && RUN.matches(path)) {
			return reported(claim, id(RUN, path),
					(reporter, sender) -> this.reports.take(request.getBody(), reporter, sender));
		}
		if (request.getMethod().equals(HttpMethod.PUT) && REHEARSAL.matches(path)) {
			return reported(claim, id(REHEARSAL, path),
					(reporter, sender) -> this.reports.rehearse(request.getBody(), reporter));
		}
		Optional<WarmupClaim> own = claim
			.filter((candidate) -> INSTANCE.matches(path) && candidate.instanceId().equals(id(INSTANCE, path)));
		if (request.getMethod().equals(HttpMethod.DELETE) && INSTANCE.matches(path)) {
			return own.map((candidate) -> verified(candidate, HttpStatus.FORBIDDEN, (leaver) -> leave(candidate)))
				.orElse(Mono.just(HttpStatus.FORBIDDEN));
		}
		return own.filter((candidate) -> request.getMethod().equals(HttpMethod.GET))
			.map((candidate) -> verified(candidate, HttpStatus.NOT_FOUND, this::learn))
			.orElse(Mono.just(HttpStatus.NOT_FOUND));
	}

	private Mono<HttpStatus> reported(Optional<WarmupClaim> claim, String run,
			BiFunction<WarmupClaim, Optional<ServiceInstance>, Mono<HttpStatus>> then) {
		return claim.filter((candidate) -> candidate.runId().equals(run))
			.map((candidate) -> verified(candidate, HttpStatus.FORBIDDEN, (sender) -> then.apply(candidate, sender)))
			.orElse(Mono.just(HttpStatus.BAD_REQUEST));
	}

	private Mono<HttpStatus> learn(Optional<ServiceInstance> knocker) {
		return Mono.justOrEmpty(knocker.flatMap((instance) -> this.routable.map((routes) -> routes.learned(instance))))
			.flatMap(Function.identity())
			.thenReturn(HttpStatus.NO_CONTENT);
	}

	private Mono<HttpStatus> leave(WarmupClaim claim) {
		this.routable.ifPresent((routes) -> routes.leaving(claim.instanceId()));
		return Mono.just(HttpStatus.NO_CONTENT);
	}

	private Mono<HttpStatus> verified(WarmupClaim claim, HttpStatus refusal,
			Function<Optional<ServiceInstance>, Mono<HttpStatus>> then) {
		return this.verifier.verify(claim).flatMap((verification) -> {
			if (verification instanceof Verification.Verified verified) {
				return then.apply(verified.instance());
			}
			return Mono
				.just((verification instanceof Verification.Unavailable) ? HttpStatus.SERVICE_UNAVAILABLE : refusal);
		});
	}

	private static Optional<WarmupClaim> claim(ServerHttpRequest request) {
		List<String> headers = request.getHeaders().getOrEmpty(WarmupClaim.HEADER);
		return (headers.size() == 1) ? WarmupClaim.parse(headers.get(0)) : Optional.empty();
	}

	private static String id(PathPattern pattern, PathContainer path) {
		return Optional.ofNullable(pattern.matchAndExtract(path))
			.map((match) -> match.getUriVariables().get("id"))
			.orElse("");
	}

}
