package dev.warmup.gateway;

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
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
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
 *
 * @param exchange the request to forward
 * @param foreign whether it goes to another service than the claimant's
 */
record Routing(ServerWebExchange exchange, boolean foreign) {

	/** In place of a service, for a route that leads to a fixed address. */
	private static final String DIRECT = "direct";

	static Routing of(ServerWebExchange exchange, WarmupClaim claim, Optional<ServiceInstance> claimant, String self,
			WarmupKey key) {
		WarmupContext context = claim.toContext();
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, context);
		Optional<String> service = service(exchange);
		if (claimant.isEmpty() && !isForward(exchange)) {
			WarmupClaim forClaimant = key.claim(self, claim.instanceId(), SignedClaim.Scope.REPLAY, claim.runId());
			return new Routing(with(exchange, forClaimant), false);
		}
		if (claimant.isEmpty() || service.isEmpty()) {
			announce(exchange, DIRECT);
			return new Routing(without(exchange), true);
		}
		if (service.get().equalsIgnoreCase(claimant.get().getServiceId())) {
			exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, claimant.get());
			return new Routing(exchange, false);
		}
		announce(exchange, service.get().toLowerCase(Locale.ROOT));
		return new Routing(with(exchange, key.mark(self, service.get(), context)), true);
	}

	/** Names to the claimant the service that the route leads to. */
	private static void announce(ServerWebExchange exchange, String service) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		exchange.getResponse()
			.beforeCommit(() -> Mono.fromRunnable(() -> headers.set(WarmupClaim.SERVICE_HEADER, service)));
	}

	private static ServerWebExchange with(ServerWebExchange exchange, WarmupClaim claim) {
		return exchange.mutate().request((request) -> request.header(WarmupClaim.HEADER, claim.format())).build();
	}

	/** The request without a claim. */
	static ServerWebExchange without(ServerWebExchange exchange) {
		return exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
			.build();
	}

	/** Whether the route leads to a handler of the gateway's own. */
	private static boolean isForward(ServerWebExchange exchange) {
		return route(exchange).filter((route) -> "forward".equalsIgnoreCase(route.getUri().getScheme())).isPresent();
	}

	/** The service that the route balances over, or empty for a direct route. */
	private static Optional<String> service(ServerWebExchange exchange) {
		return route(exchange).flatMap(RoutableInstances::service);
	}

	private static Optional<Route> route(ServerWebExchange exchange) {
		return Optional.ofNullable(exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR));
	}

	/** The route's id, empty where there is none. */
	static String routeId(ServerWebExchange exchange) {
		return route(exchange).map(Route::getId).orElse("");
	}

	/** The instance that the load balancer chose, if any. */
	static Optional<Instance> chosen(ServerWebExchange exchange) {
		return RoutableInstances.chosen(exchange)
			.flatMap((chosen) -> Optional.ofNullable(chosen.getInstanceId())
				.map((id) -> new Instance(chosen.getServiceId().toLowerCase(Locale.ROOT), id)));
	}

	/** Whether the response is a server error or missing. */
	static boolean isFailed(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status == null || status.is5xxServerError();
	}

}
