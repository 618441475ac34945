package dev.warmup.web;

import java.util.List;

import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
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
	static final int ORDER = WarmupWebFilter.ORDER + 1;

	private static final String ATTRIBUTE = StrippingWebFilter.class.getName() + ".stripped";

	StrippingWebFilter() {
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		List<String> claims = exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER);
		if (claims.isEmpty()) {
			return chain.filter(exchange);
		}
		ServerWebExchange stripped = withoutClaim(exchange);
		exchange.getAttributes().put(ATTRIBUTE, new Stripped(stripped, exchange, List.copyOf(claims)));
		return chain.filter(stripped);
	}

	/**
	 * Restores the claims of a request, once: where a filter dispatches it again, it has
	 * none.
	 * @param exchange the exchange of a request that a route takes
	 * @return the exchange with the header as it was received: the same object as without
	 * this filter where possible, since warm-up has to use the classes that users'
	 * requests use
	 */
	public static ServerWebExchange restore(ServerWebExchange exchange) {
		if (!(exchange.getAttributes().remove(ATTRIBUTE) instanceof Stripped stripped)) {
			return exchange;
		}
		return (exchange == stripped.exchange()) ? stripped.original() : exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.put(WarmupClaim.HEADER, stripped.claims())))
			.build();
	}

	/** The exchange as the application, or a service behind a gateway, may see it. */
	static ServerWebExchange withoutClaim(ServerWebExchange exchange) {
		return exchange.getRequest().getHeaders().containsHeader(WarmupClaim.HEADER) ? exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
			.build() : exchange;
	}

	private record Stripped(ServerWebExchange exchange, ServerWebExchange original, List<String> claims) {

	}

}
