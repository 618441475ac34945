package dev.warmup.gateway;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Where a verified warm-up request goes: pinned to the claimant where the route leads to
 * its service; without the token where it leads to another service; unchanged on a direct
 * route, or where discovery does not know the claimant.
 *
 * @param exchange the request to forward
 * @param foreign whether it goes to another service than the claimant's
 */
record Routing(ServerWebExchange exchange, boolean foreign) {

	private static final String BALANCED = "lb";

	private static final String WEB_SOCKET = "websocket";

	private static final List<String> STREAMS = List.of("text/event-stream", "application/x-ndjson",
			"application/stream+json", "application/grpc", "multipart/x-mixed-replace");

	static Routing of(ServerWebExchange exchange, WarmupClaim claim, Optional<ServiceInstance> claimant) {
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, claim.toContext());
		Optional<String> service = service(exchange);
		if (claimant.isEmpty() || service.isEmpty()) {
			return new Routing(exchange, false);
		}
		if (service.get().equalsIgnoreCase(claimant.get().getServiceId())) {
			exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, claimant.get());
			return new Routing(exchange, false);
		}
		return new Routing(withoutToken(exchange, claim, service.get()), true);
	}

	private static ServerWebExchange withoutToken(ServerWebExchange exchange, WarmupClaim claim, String service) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		exchange.getResponse()
			.beforeCommit(() -> Mono
				.fromRunnable(() -> headers.set(WarmupClaim.SERVICE_HEADER, service.toLowerCase(Locale.ROOT))));
		return exchange.mutate()
			.request((request) -> request.header(WarmupClaim.HEADER, claim.withoutToken().format()))
			.build();
	}

	/** The service that the route balances over, or empty for a direct route. */
	private static Optional<String> service(ServerWebExchange exchange) {
		return route(exchange).map(Route::getUri)
			.filter((uri) -> BALANCED.equalsIgnoreCase(uri.getScheme()))
			.map((uri) -> uri.isOpaque() ? URI.create(uri.getSchemeSpecificPart()) : uri)
			.map(URI::getHost);
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
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		return (response instanceof Response<?> chosen && chosen.getServer() instanceof ServiceInstance instance
				&& instance.getInstanceId() != null) ? Optional
					.of(new Instance(instance.getServiceId().toLowerCase(Locale.ROOT), instance.getInstanceId()))
						: Optional.empty();
	}

	/** Whether the response is a server error or missing. */
	static boolean isFailed(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status == null || status.is5xxServerError();
	}

	/**
	 * Whether the response is a stream or a WebSocket, which begins when there is
	 * something to send, however fast the service.
	 */
	static boolean isStream(ServerWebExchange exchange) {
		String type = Optional.ofNullable(exchange.getResponse().getHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
			.orElse("")
			.toLowerCase(Locale.ROOT);
		return WEB_SOCKET.equalsIgnoreCase(exchange.getRequest().getHeaders().getFirst(HttpHeaders.UPGRADE))
				|| STREAMS.stream().anyMatch(type::startsWith);
	}

}
