package dev.warmup.loadbalancer;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

/**
 * Withdraws the announcement of an instance that cannot be connected to, and lets the
 * load balancer choose again, at most three times per request: no part of the request was
 * sent yet, so this is safe for any method. A pinned request has nowhere else to go: the
 * answer is 503 with {@code Retry-After}.
 */
final class UnreachableInstanceFilter implements GlobalFilter, Ordered {

	/** Around the load balancer, which chooses again. */
	public static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 1;

	private static final int MAX_CHOICES = 4;

	private static final String RETRY_AFTER_SECONDS = "1";

	private final AnnouncedInstances announced;

	UnreachableInstanceFilter(AnnouncedInstances announced) {
		this.announced = announced;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		URI url = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		String prefix = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR);
		return (url != null && ("lb".equals(url.getScheme()) || "lb".equals(prefix)))
				? choose(exchange, chain, url, MAX_CHOICES) : chain.filter(exchange);
	}

	private Mono<Void> choose(ServerWebExchange exchange, GatewayFilterChain chain, URI url, int choices) {
		return chain.filter(exchange).onErrorResume(UnreachableInstanceFilter::isUnreachable, (error) -> {
			boolean refused = refused(exchange);
			if (MarkedInstance.isPinned(chosen(exchange)) && !exchange.getResponse().isCommitted()) {
				return comeBack(exchange);
			}
			if (!refused || choices <= 1) {
				return Mono.error(error);
			}
			ServerWebExchangeUtils.reset(exchange);
			exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, url);
			return choose(exchange, chain, url, choices - 1);
		});
	}

	private static Mono<Void> comeBack(ServerWebExchange exchange) {
		exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		return exchange.getResponse().setComplete();
	}

	private boolean refused(ServerWebExchange exchange) {
		return chosen(exchange) instanceof ServiceInstance instance && this.announced.refused(instance);
	}

	private static @Nullable Object chosen(ServerWebExchange exchange) {
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		return (response instanceof Response<?> chosen) ? chosen.getServer() : null;
	}

	private static boolean isUnreachable(Throwable error) {
		return error instanceof ConnectException || error instanceof NoRouteToHostException
				|| error instanceof UnknownHostException;
	}

}
