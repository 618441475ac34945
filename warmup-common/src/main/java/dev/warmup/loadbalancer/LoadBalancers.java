package dev.warmup.loadbalancer;

import java.net.URI;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;

/**
 * The load balancers that routes lead to. Each is an application context of its own,
 * which otherwise the first request would create, on the event loop.
 */
final class LoadBalancers {

	private final ObjectProvider<RouteLocator> routes;

	private final ObjectProvider<LoadBalancerClientFactory> factory;

	/**
	 * Creates it without reading routes yet.
	 * @param routes the gateway's routes
	 * @param factory creates a load balancer at the first use of its name
	 */
	LoadBalancers(ObjectProvider<RouteLocator> routes, ObjectProvider<LoadBalancerClientFactory> factory) {
		this.routes = routes;
		this.factory = factory;
	}

	/**
	 * Whether a route leads to a service.
	 * @param serviceId the service, in upper or lower case
	 * @return whether there is one now
	 */
	Mono<Boolean> isRouted(String serviceId) {
		return names(serviceId).hasElements();
	}

	/**
	 * Creates the load balancers of a service that do not exist yet.
	 * @param serviceId the service, in upper or lower case
	 * @return completes when they exist; fails where one cannot be created
	 */
	Mono<Void> prepare(String serviceId) {
		return names(serviceId).distinct()
			.publishOn(Schedulers.boundedElastic())
			.doOnNext((name) -> this.factory
				.ifAvailable((available) -> available.getInstance(name, ReactorServiceInstanceLoadBalancer.class)))
			.then();
	}

	/** As the routes spell them: each spelling has a load balancer. */
	private Flux<String> names(String serviceId) {
		return Mono.fromSupplier(this.routes::getIfAvailable)
			.flatMapMany(RouteLocator::getRoutes)
			.mapNotNull(LoadBalancers::name)
			.filter(serviceId::equalsIgnoreCase);
	}

	private static @Nullable String name(Route route) {
		URI uri = route.getUri();
		if (!"lb".equalsIgnoreCase(uri.getScheme())) {
			return null;
		}
		return uri.isOpaque() ? URI.create(uri.getSchemeSpecificPart()).getHost() : uri.getHost();
	}

}
