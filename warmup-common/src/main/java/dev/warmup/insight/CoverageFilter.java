package dev.warmup.insight;

import dev.warmup.WarmupContext;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/** Lets the {@link Coverage} know what users and runs send. */
final class CoverageFilter implements GlobalFilter, Ordered {

	/**
	 * Behind the filters that separate warm-up from users, which precede the one that
	 * writes the response, and ahead of a route's own filters, from 1 on, which rewrite
	 * paths and send requests again.
	 */
	static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER + 1;

	private final Coverage coverage;

	CoverageFilter(Coverage coverage) {
		this.coverage = coverage;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		String path = request.getPath().pathWithinApplication().value();
		if (exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)) {
			this.coverage.warmupSent(request.getMethod().name(), path);
		}
		else {
			this.coverage.userSent(request.getMethod().name(), path);
		}
		return chain.filter(exchange);
	}

}
