package dev.warmup.loadbalancer;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.discovery.InstanceAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

/**
 * Applies what instances announce of taking users to load balancers and routes, ahead of
 * the registry. Thread-safe.
 */
public final class RoutableInstances {

	private static final Logger logger = LoggerFactory.getLogger(RoutableInstances.class);

	private static final Duration ROUTE_CHECK_INTERVAL = Duration.ofMillis(50);

	private static final Duration ROUTE_LIMIT = Duration.ofSeconds(1);

	private static final Duration SIBLINGS_LIMIT = Duration.ofSeconds(1);

	private static final List<String> GRPC = List.of("application/grpc");

	private static final List<String> STREAMS = List.of("text/event-stream", "application/x-ndjson",
			"application/stream+json", "multipart/x-mixed-replace", "application/grpc");

	private final AnnouncedInstances announced;

	private final UserShares shares;

	private final Optional<AwaitedRoutes> awaited;

	private final ApplicationEventPublisher events;

	private final ObjectProvider<RouteLocator> routes;

	private final ObjectProvider<LoadBalancerClientFactory> balancers;

	/** Routes are awaited where the gateway creates them from discovery. */
	RoutableInstances(AnnouncedInstances announced, UserShares shares, Optional<AwaitedRoutes> awaited,
			ApplicationEventPublisher events, ObjectProvider<RouteLocator> routes,
			ObjectProvider<LoadBalancerClientFactory> balancers) {
		this.announced = announced;
		this.shares = shares;
		this.awaited = awaited;
		this.events = events;
		this.routes = routes;
		this.balancers = balancers;
	}

	/** An instance takes users from now on. */
	public void opened(ServiceInstance instance) {
		this.announced.opened(instance);
	}

	/** An instance is still being warmed, and gets a share of users once it takes any. */
	public void ramping(ServiceInstance instance) {
		this.shares.begin(instance);
	}

	/** An instance is warm, and gets as many users as any other. */
	public void warm(String instanceId) {
		this.shares.end(instanceId);
	}

	/**
	 * How many others could answer users in an instance's place: full members of its
	 * service and zone that take users. Those of other zones could not: where a load
	 * balancer prefers its own zone, the first instance there takes all of its users.
	 * Returns 0 where the service has no route, and never fails.
	 */
	public Mono<Long> siblings(ServiceInstance instance) {
		return names(instance.getServiceId()).next()
			.publishOn(Schedulers.boundedElastic())
			.flatMap((name) -> this.balancers.getObject()
				.getProvider(name, ServiceInstanceListSupplier.class)
				.getObject()
				.get()
				.next())
			.map((listed) -> this.announced.withoutDeregistered(listed)
				.stream()
				.filter((each) -> isSibling(each, instance))
				.count())
			.timeout(SIBLINGS_LIMIT)
			.doOnError((error) -> logger.debug("Could not determine the other instances of {}", instance.getServiceId(),
					error))
			.onErrorComplete()
			.defaultIfEmpty(0L);
	}

	private boolean isSibling(ServiceInstance listed, ServiceInstance of) {
		return listed.getInstanceId() != null && !listed.getInstanceId().equals(of.getInstanceId())
				&& zone(listed).equalsIgnoreCase(zone(of)) && this.shares.of(listed.getInstanceId()) == 1;
	}

	/** As Spring Cloud LoadBalancer reads it; empty where the instance has none. */
	private static String zone(ServiceInstance instance) {
		return InstanceAddress.metadata(instance, "zone").orElse("");
	}

	/** An instance, which discovery may know, takes no users any more. */
	public void deregistered(String instanceId, Optional<ServiceInstance> known) {
		this.shares.end(instanceId);
		this.announced.deregistered(instanceId, known);
	}

	/**
	 * An instance registered with a verified claim: makes its service routable, for
	 * warm-up only. Completes when requests can be routed to the service, or a second
	 * after its first claimant, as not every service has a route; never fails, and does
	 * not block the subscriber.
	 */
	public Mono<Void> registered(ServiceInstance instance) {
		String service = instance.getServiceId();
		return Mono.fromRunnable(() -> this.announced.registered(instance))
			.then(Mono.justOrEmpty(this.awaited))
			.flatMap((awaiting) -> awaiting.add(instance, () -> awaitRoute(awaiting, service)))
			.then(Mono.defer(() -> prepare(service)))
			.doOnError((error) -> logger.debug("{} is not routed ahead of its first request", service, error))
			.onErrorComplete();
	}

	/**
	 * Completes when the service has its routes, or after a second; refreshes the routes
	 * where one is missing: it may have others that were configured.
	 */
	private Mono<Void> awaitRoute(AwaitedRoutes awaiting, String service) {
		Mono<List<String>> expected = awaiting.ids(service)
			.collectList()
			.subscribeOn(Schedulers.boundedElastic())
			.onErrorReturn(List.of())
			.cache();
		Mono<Boolean> routed = Mono.zip(routes(service).map(Route::getId).collectList(), expected)
			.map((ids) -> !ids.getT1().isEmpty() && ids.getT1().containsAll(ids.getT2()))
			.filter(Boolean::booleanValue);
		Mono<Boolean> refreshed = Mono
			.<Boolean>fromRunnable(() -> this.events.publishEvent(new RefreshRoutesEvent(this)))
			.subscribeOn(Schedulers.boundedElastic());
		return routed.switchIfEmpty(refreshed)
			.switchIfEmpty(routed.repeatWhenEmpty((checks) -> checks.delayElements(ROUTE_CHECK_INTERVAL)))
			.take(ROUTE_LIMIT)
			.then();
	}

	/**
	 * Creates the service's load balancers: each is an application context of its own,
	 * which otherwise the first request would create, on the event loop.
	 */
	private Mono<Void> prepare(String service) {
		return names(service).distinct()
			.publishOn(Schedulers.boundedElastic())
			.doOnNext((name) -> this.balancers
				.ifAvailable((available) -> available.getInstance(name, ReactorServiceInstanceLoadBalancer.class)))
			.then();
	}

	/**
	 * The service, in upper or lower case, as the routes to it spell its name: each
	 * spelling has a load balancer. Empty where there is no route.
	 */
	private Flux<String> names(String service) {
		return routes(service).flatMap((route) -> Mono.justOrEmpty(service(route.getUri())));
	}

	private Flux<Route> routes(String service) {
		return Mono.fromSupplier(this.routes::getIfAvailable)
			.flatMapMany(RouteLocator::getRoutes)
			.filter((route) -> service(route.getUri()).filter(service::equalsIgnoreCase).isPresent());
	}

	/**
	 * The service that a route with a target leads to, as the route spells it; empty for
	 * a fixed address.
	 */
	public static Optional<String> service(@Nullable URI target) {
		return Optional.ofNullable(target)
			.filter((uri) -> "lb".equalsIgnoreCase(uri.getScheme()))
			.map((uri) -> uri.isOpaque() ? URI.create(uri.getSchemeSpecificPart()) : uri)
			.map(URI::getHost);
	}

	/**
	 * Whether a response begins when there is something to send, however fast the
	 * service: that of a WebSocket, of gRPC, and of a request that accepts, or is
	 * answered by, a stream.
	 */
	public static boolean isStream(ServerWebExchange exchange) {
		HttpHeaders request = exchange.getRequest().getHeaders();
		return "websocket".equalsIgnoreCase(request.getUpgrade())
				|| contains(request.getOrEmpty(HttpHeaders.ACCEPT), STREAMS)
				|| contains(request.getOrEmpty(HttpHeaders.CONTENT_TYPE), GRPC)
				|| contains(exchange.getResponse().getHeaders().getOrEmpty(HttpHeaders.CONTENT_TYPE), STREAMS);
	}

	private static boolean contains(List<String> values, List<String> types) {
		for (String value : values) {
			for (String type : types) {
				if (value.toLowerCase(Locale.ROOT).contains(type)) {
					return true;
				}
			}
		}
		return false;
	}

	/** The instance that the load balancer chose for a request, if any. */
	public static Optional<ServiceInstance> chosen(ServerWebExchange exchange) {
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		return (response instanceof Response<?> chosen && chosen.getServer() instanceof ServiceInstance instance)
				? Optional.of(instance) : Optional.empty();
	}

	/** The id of the route that a request takes, empty where there is none. */
	public static String routeId(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return (route != null) ? route.getId() : "";
	}

	/** Answers with a status and {@code Retry-After: 1}. */
	public static Mono<Void> retryLater(ServerWebExchange exchange, HttpStatus status) {
		exchange.getResponse().setStatusCode(status);
		exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
		return exchange.getResponse().setComplete();
	}

}
