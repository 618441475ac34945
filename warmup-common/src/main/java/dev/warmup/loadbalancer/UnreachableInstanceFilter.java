package dev.warmup.loadbalancer;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

/**
 * Withdraws the announcement of an instance that cannot be connected to, and lets the
 * load balancer choose again, at most three times per request: no part of the request was
 * sent yet, so this is safe for any method. A pinned request has nowhere else to go: the
 * answer is 503 with {@code Retry-After}. Such an instance does not count in
 * {@link UserShares} for a while, either.
 */
final class UnreachableInstanceFilter implements GlobalFilter, Ordered {

	/** Around the load balancer, which chooses again. */
	public static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 1;

	private static final int MAX_CHOICES = 4;

	private final AnnouncedInstances announced;

	private final UserShares shares;

	UnreachableInstanceFilter(AnnouncedInstances announced, UserShares shares) {
		this.announced = announced;
		this.shares = shares;
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
			Optional<ServiceInstance> chosen = RoutableInstances.chosen(exchange);
			chosen.ifPresent(this.shares::unreachable);
			boolean refused = chosen.filter(this.announced::refused).isPresent();
			if (exchange.getResponse().isCommitted()) { // by the upgrade to a WebSocket
				return Mono.error(error);
			}
			if (chosen.filter(MarkedInstance::isPinned).isPresent()) {
				return RoutableInstances.retryLater(exchange, HttpStatus.SERVICE_UNAVAILABLE);
			}
			if (!refused || choices <= 1) {
				return Mono.error(error);
			}
			ServerWebExchangeUtils.reset(exchange);
			exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, url);
			return choose(exchange, chain, url, choices - 1);
		});
	}

	/** Whether no connection to an instance could be made. */
	private static boolean isUnreachable(Throwable error) {
		return error instanceof ConnectException || error instanceof NoRouteToHostException
				|| error instanceof UnknownHostException;
	}

}
