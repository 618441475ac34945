package dev.warmup.gateway;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.loadbalancer.Pin;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/**
 * The course that a verified warm-up request takes: to the claimant and nobody else where
 * the route leads to its service; to another service without the token; and by a direct
 * route, or where discovery does not know the claimant, as it came.
 *
 * @param exchange the request as it goes on
 * @param foreign whether it goes to another service than the claimant's
 */
record Routing(ServerWebExchange exchange, boolean foreign) {

	private static final String BALANCED = "lb";

	static Routing of(ServerWebExchange exchange, WarmupClaim claim, Optional<ServiceInstance> claimant) {
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, claim.toContext());
		Optional<String> service = service(exchange);
		if (claimant.isEmpty() || service.isEmpty()) {
			return new Routing(exchange, false);
		}
		if (service.get().equalsIgnoreCase(claimant.get().getServiceId())) {
			exchange.getAttributes().put(Pin.ATTRIBUTE, claimant.get());
			return new Routing(exchange, false);
		}
		return new Routing(withoutToken(exchange, claim, service.get()), true);
	}

	private static ServerWebExchange withoutToken(ServerWebExchange exchange, WarmupClaim claim, String service) {
		HttpHeaders answer = exchange.getResponse().getHeaders();
		exchange.getResponse().beforeCommit(() -> {
			answer.set(WarmupClaim.SERVICE_HEADER, service.toLowerCase(Locale.ROOT));
			return Mono.empty();
		});
		return exchange.mutate()
			.request((request) -> request
				.headers((headers) -> headers.set(WarmupClaim.HEADER, claim.withoutToken().format())))
			.build();
	}

	/** The service that the route balances over, or empty for a direct route. */
	private static Optional<String> service(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return Optional.ofNullable(route)
			.map(Route::getUri)
			.filter((uri) -> BALANCED.equalsIgnoreCase(uri.getScheme()))
			.map((uri) -> uri.isOpaque() ? URI.create(uri.getSchemeSpecificPart()) : uri)
			.map(URI::getHost);
	}

}
