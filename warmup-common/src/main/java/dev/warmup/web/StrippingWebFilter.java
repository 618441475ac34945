package dev.warmup.web;

import java.util.List;

import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * In a gateway, and in a service whose warm-up is off: strips claims, whether or not a
 * route takes the request. An attribute of the exchange keeps them for the filter that
 * verifies them on routes.
 */
public final class StrippingWebFilter implements WebFilter, Ordered {

	/** Behind the protocol endpoints, which verify claims themselves. */
	public static final int ORDER = WarmupWebFilter.ORDER + 1;

	private static final String ATTRIBUTE = StrippingWebFilter.class.getName() + ".claims";

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter(strip(exchange));
	}

	/**
	 * The exchange as the application may see it: with the objects of the server as in
	 * users' requests, since what the JVM compiles for warm-up has to fit them. Only
	 * where the server does not let headers be changed is the request another one.
	 */
	static ServerWebExchange strip(ServerWebExchange exchange) {
		List<String> claims = exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER);
		if (claims.isEmpty()) {
			return exchange;
		}
		exchange.getAttributes().put(ATTRIBUTE, new Stripped(List.copyOf(claims)));
		return isRemoved(exchange.getRequest()) ? exchange
				: exchange.mutate()
					.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
					.build();
	}

	/**
	 * The claims that were stripped from a request, also where it is handled again.
	 * @param exchange the exchange of the request
	 * @return the values of the header as they were received, empty for users
	 */
	public static List<String> claims(ServerWebExchange exchange) {
		return (exchange.getAttribute(ATTRIBUTE) instanceof Stripped stripped) ? stripped.claims() : List.of();
	}

	/**
	 * A copy drops the read-only view alone: it shares the server's own headers.
	 */
	private static boolean isRemoved(ServerHttpRequest request) {
		try {
			new HttpHeaders(request.getHeaders()).remove(WarmupClaim.HEADER);
			return !request.getHeaders().containsHeader(WarmupClaim.HEADER);
		}
		catch (UnsupportedOperationException | IllegalStateException ex) {
			return false; // the server's headers are immutable
		}
	}

	/** Not shown where attributes are logged. */
	private record Stripped(List<String> claims) {

		@Override
		public String toString() {
			return "Stripped";
		}

	}

}
