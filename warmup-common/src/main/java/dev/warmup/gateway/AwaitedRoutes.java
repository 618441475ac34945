package dev.warmup.gateway;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;

/**
 * Routes to services whose instances this gateway knows while the registry lists none of
 * them yet, as the gateway's discovery locator will create them: without these, the only
 * instance of a service could not be warmed.
 */
class AwaitedRoutes implements RouteDefinitionLocator {

	private final Fleet fleet;

	private final ReactiveDiscoveryClient registry;

	private final DiscoveryLocatorProperties properties;

	private final ApplicationEventPublisher events;

	AwaitedRoutes(Fleet fleet, ReactiveDiscoveryClient registry, DiscoveryLocatorProperties properties,
			ApplicationEventPublisher events) {
		this.fleet = fleet;
		this.registry = registry;
		this.properties = properties;
		this.events = events;
	}

	/** Has the routes made anew, as each heartbeat of the registry does. */
	@EventListener
	public void onFleetChanged(Fleet.Changed change) {
		this.events.publishEvent(new RefreshRoutesEvent(this));
	}

	@Override
	public Flux<RouteDefinition> getRouteDefinitions() {
		return Flux.defer(
				() -> new DiscoveryClientRouteDefinitionLocator(new Unlisted(), this.properties).getRouteDefinitions());
	}

	/** Never a bean: load balancers would send users there. */
	private final class Unlisted implements ReactiveDiscoveryClient {

		@Override
		public String description() {
			return "services that no registry lists yet";
		}

		@Override
		public Flux<ServiceInstance> getInstances(String serviceId) {
			return Flux.fromStream(() -> AwaitedRoutes.this.fleet.of(serviceId))
				.map((member) -> member.registered().address());
		}

		@Override
		public Flux<String> getServices() {
			return Flux
				.fromStream(() -> AwaitedRoutes.this.fleet.stream().map((member) -> member.registered().address()))
				.map(ServiceInstance::getServiceId)
				.distinct()
				.filterWhen((service) -> AwaitedRoutes.this.registry.getInstances(service)
					.hasElements()
					.onErrorReturn(false)
					.map((listed) -> !listed));
		}

	}

}
