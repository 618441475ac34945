package dev.warmup.web;

import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Removes claims in a gateway that does not verify them, since its warm-up is off, so
 * that no service behind it can be deceived by one.
 */
final class StrippingWebFilter implements WebFilter, Ordered {

	/** Ahead of all that could read the claim. */
	static final int ORDER = WarmupWebFilter.ORDER;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!exchange.getRequest().getHeaders().containsHeader(WarmupClaim.HEADER)) {
			return chain.filter(exchange);
		}
		return chain.filter(exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
			.build());
	}

}
