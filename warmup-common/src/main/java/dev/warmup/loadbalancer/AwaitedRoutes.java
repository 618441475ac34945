package dev.warmup.loadbalancer;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.util.StringUtils;

/**
 * Routes to awaited services as the gateway's discovery locator makes them, under the
 * same names, for as long as it makes none as the registry shows no instance.
 */
public final class AwaitedRoutes implements RouteDefinitionLocator {

	private final AwaitedServices awaited;

	private final ReactiveDiscoveryClient registry;

	private final DiscoveryLocatorProperties properties;

	/**
	 * Creates the locator.
	 * @param awaited the services to route to
	 * @param registry what the gateway's discovery locator looks at
	 * @param properties how it makes routes
	 */
	public AwaitedRoutes(AwaitedServices awaited, ReactiveDiscoveryClient registry,
			DiscoveryLocatorProperties properties) {
		this.awaited = awaited;
		this.registry = registry;
		this.properties = properties;
	}

	@Override
	public Flux<RouteDefinition> getRouteDefinitions() {
		return Flux
			.defer(() -> new DiscoveryClientRouteDefinitionLocator(new Unlisted(), named()).getRouteDefinitions());
	}

	/** Else the names would come from the class of the discovery client. */
	private DiscoveryLocatorProperties named() {
		if (StringUtils.hasText(this.properties.getRouteIdPrefix())) {
			return this.properties;
		}
		DiscoveryLocatorProperties named = new DiscoveryLocatorProperties();
		named.setRouteIdPrefix(this.registry.getClass().getSimpleName() + "_");
		named.setIncludeExpression(this.properties.getIncludeExpression());
		named.setUrlExpression(this.properties.getUrlExpression());
		named.setLowerCaseServiceId(this.properties.isLowerCaseServiceId());
		named.setPredicates(this.properties.getPredicates());
		named.setFilters(this.properties.getFilters());
		return named;
	}

	/**
	 * Those of which the registry shows no instance. Never a bean: load balancers would
	 * send users there.
	 */
	private final class Unlisted implements ReactiveDiscoveryClient {

		@Override
		public String description() {
			return "services that are about to take users";
		}

		@Override
		public Flux<ServiceInstance> getInstances(String serviceId) {
			return awaited().filter((instance) -> instance.getServiceId().equals(serviceId));
		}

		@Override
		public Flux<String> getServices() {
			return awaited().map(ServiceInstance::getServiceId).filterWhen(this::isUnlisted);
		}

		private Flux<ServiceInstance> awaited() {
			return Flux.defer(() -> Flux.fromIterable(AwaitedRoutes.this.awaited.instances()));
		}

		private Mono<Boolean> isUnlisted(String serviceId) {
			return AwaitedRoutes.this.registry.getInstances(serviceId)
				.hasElements()
				.onErrorReturn(false)
				.map((listed) -> !listed);
		}

	}

}
