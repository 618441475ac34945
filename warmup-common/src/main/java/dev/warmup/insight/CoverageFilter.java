package dev.warmup.insight;

import dev.warmup.WarmupContext;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/** Counts what users send, and notes what runs send. */
final class CoverageFilter implements GlobalFilter, Ordered {

	/**
	 * Behind those that tell warm-up from users and turn some of it away, which the
	 * filter that writes the answer follows, and ahead of a route's own filters, from 1
	 * on, which rewrite paths and send requests again.
	 */
	public static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER + 1;

	private final Coverage coverage;

	/**
	 * Creates the filter.
	 * @param coverage counts every request
	 */
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
