package dev.warmup.loadbalancer;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Measures users' requests for {@link UserShares}, from the choice of their instance
 * until its answer begins, while an instance is RAMPING; none otherwise. A stream does
 * not count: it may be quiet for hours.
 */
final class UserShareFilter implements GlobalFilter, Ordered {

	/** After the load balancer has chosen. */
	public static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER + 1;

	private final UserShares shares;

	UserShareFilter(UserShares shares) {
		this.shares = shares;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		Optional<ServiceInstance> chosen = (this.shares.isIdle() || RoutableInstances.isStream(exchange))
				? Optional.empty()
				: RoutableInstances.chosen(exchange).filter((instance) -> !MarkedInstance.isPinned(instance));
		if (chosen.isEmpty()) {
			return chain.filter(exchange);
		}
		UserShares.Waiting waiting = this.shares.waiting(chosen.get(), RoutableInstances.routeId(exchange));
		return chain.filter(exchange)
			.doOnSuccess((done) -> waiting.answered(isFailed(exchange.getResponse().getStatusCode())))
			.doOnError((error) -> waiting.answered(true))
			.doOnCancel(waiting::canceled);
	}

	private static boolean isFailed(@Nullable HttpStatusCode status) {
		return status != null && status.is5xxServerError();
	}

}
