package dev.warmup.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.WarmupContext;
import dev.warmup.gateway.Member.Fit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.LoadBalancerUriTools;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.DelegatingServiceInstance;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sends pinned warm-up to its instance, and users where the load balancer chooses, unless
 * the choice leaves, is closed, is not due by its share, or refuses the connection: then
 * it lets the load balancer choose again, three times at most. Answers 503 with
 * {@code Retry-After: 1} where the last choice is closed or refuses the connection.
 */
final class InstanceChoiceFilter implements GlobalFilter, Ordered {

	/** Around the load balancer, which chooses again. */
	static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 1;

	private static final int MAX_CHOICES = 4;

	/** Marks an exchange whose instance is chosen for the last time. */
	private static final String LAST_CHOICE = InstanceChoiceFilter.class.getName() + ".lastChoice";

	private static final Logger logger = LoggerFactory.getLogger(InstanceChoiceFilter.class);

	private final Fleet fleet;

	private final Looks looks;

	/** Routes to a service's host, each logged once. */
	private final Set<String> named = ConcurrentHashMap.newKeySet();

	private final Optional<Balancer> balancer;

	InstanceChoiceFilter(Fleet fleet, Looks looks, Optional<Balancer> balancer) {
		this.fleet = fleet;
		this.looks = looks;
		this.balancer = balancer;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		URI url = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		if (url == null) {
			return chain.filter(exchange);
		}
		Target target = new Target(url, exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR));
		Routing.Pinned pinned = Routing.pinned(exchange);
		return (pinned != null) ? pinned(pinned, exchange, chain, target)
				: choose(exchange, chain, target, MAX_CHOICES);
	}

	/** Loads users' list as well, so that what that takes is warm when they come. */
	private Mono<Void> pinned(Routing.Pinned pinned, ServerWebExchange exchange, GatewayFilterChain chain,
			Target target) {
		String service = target.balanced();
		Mono<Void> loaded = (service != null)
				? Mono.justOrEmpty(this.balancer).flatMap((lists) -> lists.load(service, exchange)) : Mono.empty();
		ServiceInstance instance = pinned.registered().address();
		ServerWebExchange sent = (service == null && target.url().getScheme().startsWith("http"))
				? withHostOfRoute(exchange, target.url()) : exchange;
		return loaded.then(Mono.defer(() -> send(instance, sent, chain, target)))
			.onErrorResume((error) -> isRefused(exchange, error), (error) -> unavailable(exchange));
	}

	/** What users' requests on this route have. */
	private ServerWebExchange withHostOfRoute(ServerWebExchange exchange, URI url) {
		Routing.route(exchange)
			.filter((route) -> this.named.add(route.getId()))
			.ifPresent(
					(route) -> logger.info("Warm-up on route {} is pinned; users' share and leaving need lb://, not {}",
							route.getId(), route.getUri()));
		Object preserved = exchange.getAttributes().put(ServerWebExchangeUtils.PRESERVE_HOST_HEADER_ATTRIBUTE, true);
		return Boolean.TRUE.equals(preserved) ? exchange
				: exchange.mutate()
					.request((request) -> request.headers((all) -> all.set(HttpHeaders.HOST, url.getRawAuthority())))
					.build();
	}

	private Mono<Void> choose(ServerWebExchange exchange, GatewayFilterChain chain, Target target, int choices) {
		if (choices == 1) {
			exchange.getAttributes().put(LAST_CHOICE, true);
		}
		return chain.filter(exchange)
			.onErrorResume((error) -> error instanceof Rejected || isRefused(exchange, error), (error) -> {
				if (choices == 1) {
					return unavailable(exchange);
				}
				target.restore(exchange);
				return choose(exchange, chain, target, choices - 1);
			});
	}

	/** Whether no connection could be made, so that nothing was sent. */
	private boolean isRefused(ServerWebExchange exchange, Throwable error) {
		if (!Looks.isUnreachable(error) || exchange.getResponse().isCommitted()) {
			return false;
		}
		Routing.chosen(exchange).ifPresent(this.fleet::refused);
		return Routing.chosen(exchange).isPresent();
	}

	/** Does what the load balancer's filter would do with that choice. */
	private static Mono<Void> send(ServiceInstance instance, ServerWebExchange exchange, GatewayFilterChain chain,
			Target target) {
		String scheme = (target.prefix() != null) ? String.valueOf(target.url().getScheme())
				: instance.isSecure() ? "https" : "http";
		URI url = LoadBalancerUriTools.reconstructURI(new DelegatingServiceInstance(instance, scheme),
				exchange.getRequest().getURI());
		exchange.getAttributes().remove(ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR);
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, url);
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, new DefaultResponse(instance));
		return chain.filter(exchange);
	}

	private static Mono<Void> unavailable(ServerWebExchange exchange) {
		exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
		return exchange.getResponse().setComplete();
	}

	/** Where a request goes by its route, before a load balancer has chosen. */
	private record Target(URI url, @Nullable String prefix) {

		/** The service whose load balancer chooses; null for another route. */
		@Nullable String balanced() {
			if (!"lb".equals(this.prefix) && !"lb".equals(this.url.getScheme())) {
				return null;
			}
			return (this.url.getHost() != null) ? this.url.getHost() : this.url.getRawAuthority();
		}

		void restore(ServerWebExchange exchange) {
			ServerWebExchangeUtils.reset(exchange);
			exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, this.url);
			exchange.getAttributes().remove(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
			if (this.prefix != null) {
				exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR, this.prefix);
			}
		}

	}

	/** Says that users should not go to the chosen instance. */
	private static final class Rejected extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private Rejected() {
			super("The chosen instance takes no users", null, false, false);
		}

	}

	/**
	 * Rejects what the load balancer chose, where that should get no user or is not due,
	 * and looks before that at an instance that was never looked at, or that users go to
	 * for lack of a better one. Measures the first user after a run.
	 */
	final class Check implements GlobalFilter, Ordered {

		/** Directly behind the load balancer, so that a rejected choice costs little. */
		static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER + 1;

		@Override
		public int getOrder() {
			return ORDER;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			Optional<ServiceInstance> choice = Routing.chosen(exchange);
			if (choice.isEmpty() || Routing.pinned(exchange) != null) {
				return chain.filter(exchange);
			}
			ServiceInstance chosen = choice.get();
			boolean last = exchange.getAttributes().remove(LAST_CHOICE) != null;
			Fit fit = InstanceChoiceFilter.this.fleet.fit(chosen);
			boolean doubtful = fit == Fit.UNKNOWN || fit == Fit.UNREACHABLE;
			Mono<Void> checked = Mono
				.defer(() -> isAccepted(chosen, last) ? send(chosen, exchange, chain) : Mono.error(new Rejected()));
			return doubtful ? InstanceChoiceFilter.this.looks.lookBeforeUser(chosen).then(checked) : checked;
		}

		private boolean isAccepted(ServiceInstance chosen, boolean last) {
			return switch (InstanceChoiceFilter.this.fleet.fit(chosen)) {
				case FULL, UNKNOWN -> true;
				case GROWING -> last || InstanceChoiceFilter.this.fleet.isDue(chosen);
				case LEAVING -> last || !InstanceChoiceFilter.this.fleet.hasBetter(chosen);
				case UNREACHABLE -> last && !InstanceChoiceFilter.this.fleet.hasLibrary(chosen);
				case CLOSED -> false;
			};
		}

		private Mono<Void> send(ServiceInstance chosen, ServerWebExchange exchange, GatewayFilterChain chain) {
			boolean first = InstanceChoiceFilter.this.fleet.find(chosen.getInstanceId())
				.filter(Member::awaitsUser)
				.isPresent();
			if (first && exchange.getAttribute(WarmupContext.ATTRIBUTE) == null) {
				long start = System.nanoTime();
				exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> answered(exchange, start)));
			}
			return chain.filter(exchange);
		}

		/** An error of a server says nothing of how warm it is. */
		private void answered(ServerWebExchange exchange, long start) {
			HttpStatusCode status = exchange.getResponse().getStatusCode();
			if (status != null && !status.is5xxServerError() && Routing.isServicesAnswer(exchange)) {
				Duration latency = Duration.ofNanos(System.nanoTime() - start);
				Routing.chosen(exchange)
					.ifPresent((server) -> InstanceChoiceFilter.this.fleet.userAnswered(server, latency));
			}
		}

	}

}
