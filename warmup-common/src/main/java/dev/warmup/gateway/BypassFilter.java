package dev.warmup.gateway;

import dev.warmup.WarmupContext;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * A filter that users go through and verified warm-up does not. Stands at the filter's
 * place, and calls itself by its name.
 *
 * @param filter what users go through
 * @param passed is told of each warm-up request that passes by; must not block
 */
record BypassFilter(GatewayFilter filter, Runnable passed) implements GatewayFilter, Ordered {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		if (exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)) {
			this.passed.run();
			return chain.filter(exchange);
		}
		return this.filter.filter(exchange, chain);
	}

	@Override
	public int getOrder() {
		return (this.filter instanceof Ordered ordered) ? ordered.getOrder()
				: OrderUtils.getOrder(this.filter.getClass(), Ordered.LOWEST_PRECEDENCE);
	}

	@Override
	public String toString() {
		return this.filter.toString();
	}

}
