package dev.warmup.gateway;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Registered;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/** Where a request goes, and what it may carry there. */
final class Routing {

	/** Every header of the library, which only this gateway itself sends or passes on. */
	static final List<String> HEADERS = List.of(WarmupHeader.NAME, WarmupHeader.GATEWAY, WarmupHeader.INSTANCE,
			WarmupHeader.SERVICE, WarmupHeader.ADMISSION);

	private static final String PINNED = Routing.class.getName() + ".pinned";

	private static final Logger logger = LoggerFactory.getLogger(Routing.class);

	private Routing() {
	}

	/** What an earlier dispatch of the same request decided no longer counts. */
	static void pin(ServerWebExchange exchange, Optional<Pinned> pinned) {
		exchange.getAttributes().remove(PINNED);
		pinned.ifPresent((target) -> exchange.getAttributes().put(PINNED, target));
	}

	/** The instance that a verified warm-up request goes to; null for other requests. */
	static @Nullable Pinned pinned(ServerWebExchange exchange) {
		return exchange.getAttribute(PINNED);
	}

	static Optional<Route> route(ServerWebExchange exchange) {
		return Optional.ofNullable(exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR));
	}

	/**
	 * The host, or service, that a route leads to, in lower case and without a port;
	 * empty for a handler of the gateway's own.
	 */
	static Optional<String> host(URI uri) {
		if (uri.isOpaque()) { // such as lb:ws://service
			uri = URI.create(uri.getSchemeSpecificPart());
		}
		if ("forward".equalsIgnoreCase(uri.getScheme())) {
			return Optional.empty();
		}
		// a name with an underscore is no host
		return Optional.ofNullable((uri.getHost() != null) ? uri.getHost() : uri.getRawAuthority())
			.map((host) -> host.toLowerCase(Locale.ROOT));
	}

	/**
	 * Whether the host that a route leads to, or its first label, is a service's name.
	 */
	static boolean leadsTo(URI route, String service) {
		return host(route).filter((host) -> host.equals(service) || host.startsWith(service + ".")).isPresent();
	}

	/** The instance that a load balancer chose for a request, if any. */
	static Optional<ServiceInstance> chosen(ServerWebExchange exchange) {
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		return (response instanceof Response<?> chosen && chosen.getServer() instanceof ServiceInstance instance)
				? Optional.of(instance) : Optional.empty();
	}

	/**
	 * Whether the answer of an exchange came from a service, and not from the gateway or
	 * the fallback of a circuit breaker.
	 */
	static boolean isServicesAnswer(ServerWebExchange exchange) {
		return exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR) != null
				&& exchange.getAttribute(ServerWebExchangeUtils.CIRCUITBREAKER_EXECUTION_EXCEPTION_ATTR) == null;
	}

	private static HttpHeaders without(HttpHeaders headers, List<String> names) {
		for (String name : names) { // called for every request: a copy only where needed
			if (headers.containsHeader(name)) {
				HttpHeaders copy = HttpHeaders.copyOf(headers);
				names.forEach(copy::remove);
				return copy;
			}
		}
		return headers;
	}

	/** A verified warm-up request: its claim, and the instance that it goes to. */
	record Pinned(WarmupHeader claim, Registered registered) {

		private boolean isTarget(@Nullable URI url) {
			URI address = this.registered.address().getUri();
			return url != null && address.getPort() == url.getPort() && address.getHost() != null
					&& address.getHost().equalsIgnoreCase(url.getHost());
		}

	}

	/**
	 * Adds the claim to what goes to the pinned instance, after all other filters, and
	 * removes every header of the library that comes from anywhere else. Refuses to send
	 * a pinned request to another address, where it would be served as a user's.
	 */
	@Order(Ordered.LOWEST_PRECEDENCE)
	static final class RequestHeaders implements HttpHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			HttpHeaders headers = without(input, HEADERS);
			Pinned pinned = pinned(exchange);
			if (pinned == null) {
				return headers;
			}
			if (!pinned.isTarget(exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR))) {
				route(exchange).ifPresent((route) -> logger.warn(
						"A filter sends warm-up on route {} ({}) to another address than the instance that is warmed. "
								+ "It is not sent. Let the filter keep a request URL that is http already",
						route.getId(), route.getUri()));
				throw new ResponseStatusException(HttpStatus.BAD_GATEWAY,
						"A filter of the route chose another address");
			}
			HttpHeaders carrying = HttpHeaders.copyOf(headers);
			carrying.set(WarmupHeader.NAME, pinned.claim().format());
			return carrying;
		}

	}

	/**
	 * Removes the library's headers from what services answer to users, and all but the
	 * proof from what the pinned instance answers.
	 */
	@Order(Ordered.LOWEST_PRECEDENCE)
	static final class ResponseHeaders implements HttpHeadersFilter {

		private static final List<String> OTHERS = HEADERS.stream()
			.filter((name) -> !name.equals(WarmupHeader.INSTANCE))
			.toList();

		@Override
		public boolean supports(Type type) {
			return type == Type.RESPONSE;
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			return without(input, (pinned(exchange) != null) ? OTHERS : HEADERS);
		}

	}

}
