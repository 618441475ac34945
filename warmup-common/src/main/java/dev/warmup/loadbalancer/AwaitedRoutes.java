package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

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
 * Routes to services that have a verified claimant but no instance in the registry that
 * takes users yet, as the gateway's discovery locator will create them, under the same
 * names. Each service is kept for ten minutes after its last claimant. Thread-safe.
 */
final class AwaitedRoutes implements RouteDefinitionLocator {

	private static final Duration KEPT = Duration.ofMinutes(10);

	private final Recent<Claimant> claimants;

	private final ReactiveDiscoveryClient registry;

	private final DiscoveryLocatorProperties properties;

	AwaitedRoutes(Clock clock, ReactiveDiscoveryClient registry, DiscoveryLocatorProperties properties) {
		this.claimants = new Recent<>(clock, KEPT);
		this.registry = registry;
		this.properties = properties;
	}

	/**
	 * Adds the service of a verified claimant, from the next refresh of routes on.
	 * Returns the wait for its route, which claimants share: a service that the discovery
	 * locator excludes never has one.
	 */
	synchronized Mono<Void> add(ServiceInstance instance, Supplier<Mono<Void>> routed) {
		String service = instance.getServiceId().toLowerCase(Locale.ROOT);
		Mono<Void> shared = this.claimants.find(service)
			.map(Claimant::routed)
			.orElseGet(() -> routed.get().onErrorComplete().cache());
		this.claimants.put(service, new Claimant(instance, shared));
		return shared;
	}

	@Override
	public Flux<RouteDefinition> getRouteDefinitions() {
		return Flux.defer(
				() -> new DiscoveryClientRouteDefinitionLocator(new Unlisted(), this.properties).getRouteDefinitions())
			.doOnNext(this::rename);
	}

	/** The ids of its routes to a service, whose case is ignored. */
	Flux<String> ids(String service) {
		return getRouteDefinitions()
			.filter((route) -> RoutableInstances.service(route.getUri()).filter(service::equalsIgnoreCase).isPresent())
			.map((route) -> Objects.requireNonNullElse(route.getId(), ""));
	}

	/** Without a prefix, names derive from the class of the discovery client. */
	private void rename(RouteDefinition route) {
		String id = route.getId();
		if (id != null && !StringUtils.hasText(this.properties.getRouteIdPrefix())) {
			route.setId(
					this.registry.getClass().getSimpleName() + id.substring(Unlisted.class.getSimpleName().length()));
		}
	}

	/**
	 * The claimants of services without an instance in the registry. Never a bean: load
	 * balancers would send users there.
	 */
	private final class Unlisted implements ReactiveDiscoveryClient {

		@Override
		public String description() {
			return "services that are about to take users";
		}

		@Override
		public Flux<ServiceInstance> getInstances(String serviceId) {
			return claimants().filter((instance) -> instance.getServiceId().equals(serviceId));
		}

		@Override
		public Flux<String> getServices() {
			return claimants().map(ServiceInstance::getServiceId).filterWhen(this::isUnlisted);
		}

		private Flux<ServiceInstance> claimants() {
			return Flux.defer(() -> Flux.fromIterable(AwaitedRoutes.this.claimants.values())).map(Claimant::instance);
		}

		private Mono<Boolean> isUnlisted(String serviceId) {
			return AwaitedRoutes.this.registry.getInstances(serviceId)
				.hasElements()
				.onErrorReturn(false)
				.map((listed) -> !listed);
		}

	}

	/** The last claimant of a service, and the wait for the service's route. */
	private record Claimant(ServiceInstance instance, Mono<Void> routed) {

	}

}
