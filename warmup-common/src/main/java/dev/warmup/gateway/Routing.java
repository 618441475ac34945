package dev.warmup.gateway;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Where a verified warm-up request goes, and what it carries there. To the claimant's own
 * service it goes pinned to the claimant, with the claim. To another service it goes as a
 * user's request does, with a mark that this gateway signs for that service. What leaves
 * on a direct route, whose end nothing is known of, carries nothing; unless there is no
 * discovery, where direct routes are all there is: there it carries a claim for the
 * claimant alone. A handler of the gateway's own that a route leads to gets nothing
 * either.
 */
final class Routing {

	/** In place of a service, for a route that leads to a fixed address. */
	private static final String DIRECT = "direct";

	private static final String CLAIM = Routing.class.getName() + ".claim";

	private static final String SERVICE = Routing.class.getName() + ".service";

	private Routing() {
	}

	/**
	 * Decides where a request with a verified claim goes. The claimant is empty without
	 * discovery, {@code self} is the id of this gateway's instance, and {@code key} signs
	 * what the request carries to others. Returns whether something else than the
	 * claimant's service answers.
	 */
	static boolean route(ServerWebExchange exchange, WarmupClaim claim, Optional<ServiceInstance> claimant, String self,
			WarmupKey key) {
		forget(exchange);
		WarmupContext context = claim.toContext();
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, context);
		Optional<String> service = service(exchange);
		if (claimant.isEmpty() && !isForward(exchange)) {
			carry(exchange, key.claim(self, claim.instanceId(), SignedClaim.Scope.REPLAY, claim.runId()), service);
			return false;
		}
		if (claimant.isEmpty() || service.isEmpty()) {
			announce(exchange, DIRECT);
			return true;
		}
		if (service.get().equalsIgnoreCase(claimant.get().getServiceId())) {
			exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, claimant.get());
			carry(exchange, claim, service);
			return false;
		}
		announce(exchange, service.get().toLowerCase(Locale.ROOT));
		carry(exchange, key.mark(self, service.get(), context), service);
		return true;
	}

	/** Names to the claimant the service that the last route leads to. */
	private static void announce(ServerWebExchange exchange, String service) {
		exchange.getAttributes().put(SERVICE, service);
		HttpHeaders headers = exchange.getResponse().getHeaders();
		exchange.getResponse()
			.beforeCommit(() -> Mono.justOrEmpty(exchange.<String>getAttribute(SERVICE))
				.filter((last) -> !isSubstitute(exchange, last))
				.doOnNext((last) -> headers.set(WarmupClaim.SERVICE_HEADER, last))
				.then());
	}

	/**
	 * Whether a cache, or a circuit breaker's fallback, answered in place of a service.
	 */
	private static boolean isSubstitute(ServerWebExchange exchange, String service) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status != null && status.is2xxSuccessful()
				&& (isFallback(exchange) || (!service.equals(DIRECT) && RoutableInstances.chosen(exchange).isEmpty()));
	}

	/**
	 * Drops what an earlier dispatch of the same request decided, and the instance that
	 * the load balancer chose for it.
	 */
	static void forget(ServerWebExchange exchange) {
		withdraw(exchange);
		exchange.getAttributes().remove(WarmupContext.ATTRIBUTE);
	}

	/** Likewise, for a request that is warm-up, but is answered by the gateway itself. */
	static void withdraw(ServerWebExchange exchange) {
		List.of(CLAIM, SERVICE, PinningPostProcessor.ATTRIBUTE,
				ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR)
			.forEach(exchange.getAttributes()::remove);
	}

	private static void carry(ServerWebExchange exchange, WarmupClaim claim, Optional<String> service) {
		exchange.getAttributes().put(CLAIM, new Carried(claim, service));
	}

	/** Whether the route leads to a handler of the gateway's own. */
	private static boolean isForward(ServerWebExchange exchange) {
		return route(exchange).filter((route) -> "forward".equalsIgnoreCase(route.getUri().getScheme())).isPresent();
	}

	/** The service that the route balances over, or empty for a direct route. */
	private static Optional<String> service(ServerWebExchange exchange) {
		return route(exchange).map(Route::getUri).flatMap(RoutableInstances::service);
	}

	private static Optional<Route> route(ServerWebExchange exchange) {
		return Optional.ofNullable(exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR));
	}

	/** The instance that the load balancer chose, if any. */
	static Optional<Instance> chosen(ServerWebExchange exchange) {
		return RoutableInstances.chosen(exchange)
			.flatMap((chosen) -> Optional.ofNullable(chosen.getInstanceId())
				.map((id) -> new Instance(chosen.getServiceId().toLowerCase(Locale.ROOT), id)));
	}

	/**
	 * Whether the instance's response is a server error or missing, as where a fallback
	 * answers in its place.
	 */
	static boolean isFailed(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status == null || status.is5xxServerError() || isFallback(exchange);
	}

	/** Whether a circuit breaker's fallback answers. */
	private static boolean isFallback(ServerWebExchange exchange) {
		return exchange.getAttributes().containsKey(ServerWebExchangeUtils.CIRCUITBREAKER_EXECUTION_EXCEPTION_ATTR);
	}

	/**
	 * A claim for a service, which the load balancer must have chosen: a filter may have
	 * replaced the route's target. Empty for a direct route without discovery.
	 */
	private record Carried(WarmupClaim claim, Optional<String> service) {

		boolean isFor(Optional<ServiceInstance> chosen) {
			return this.service.isEmpty()
					|| chosen.filter((each) -> each.getServiceId().equalsIgnoreCase(this.service.get())).isPresent();
		}

	}

	/**
	 * Adds the claim to what is sent to the service, after the gateway's filters and the
	 * other filters of headers. A header of this name from anywhere else is not sent.
	 */
	static final class ClaimHeader implements HttpHeadersFilter, Ordered {

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			Optional<WarmupClaim> claim = Optional.ofNullable(exchange.<Carried>getAttribute(CLAIM))
				.filter((carried) -> carried.isFor(RoutableInstances.chosen(exchange)))
				.map(Carried::claim);
			if (claim.isEmpty() && !input.containsHeader(WarmupClaim.HEADER)) {
				return input;
			}
			HttpHeaders headers = HttpHeaders.copyOf(input);
			headers.remove(WarmupClaim.HEADER);
			claim.ifPresent((carried) -> headers.set(WarmupClaim.HEADER, carried.format()));
			return headers;
		}

	}

}
