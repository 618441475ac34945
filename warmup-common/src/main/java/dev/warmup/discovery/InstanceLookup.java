package dev.warmup.discovery;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/** Finds an instance by its id in discovery, whatever its status there. */
@FunctionalInterface
public interface InstanceLookup {

	/**
	 * Asks discovery for an instance, anew at each subscription.
	 * @param instanceId its id in discovery, not checked before
	 * @return the instance with its metadata, or an empty optional when it is not
	 * registered; fails when discovery does not answer; does not block the subscriber
	 */
	Mono<Optional<ServiceInstance>> find(String instanceId);

	/**
	 * Finds an instance in the local copy of the registry, which may be out of date. Does
	 * not block.
	 * @param instanceId its id in discovery, not checked before
	 * @return the instance with its metadata, or empty when the local copy does not
	 * contain it; by default there is no local copy
	 */
	default Optional<ServiceInstance> known(String instanceId) {
		return Optional.empty();
	}

	/**
	 * Asks discovery for what changed lately, in one request however many there are.
	 * @return instances by id, with their metadata; fails when discovery does not answer;
	 * does not block the subscriber. By default there is no such request, and no instance
	 */
	default Mono<Map<String, ServiceInstance>> recent() {
		return Mono.just(Map.of());
	}

	/**
	 * Asks discovery for instances of a service that accept users and may be missing from
	 * the local copy.
	 * @param serviceId its id in discovery
	 * @return such instances with their metadata; fails when discovery does not answer;
	 * does not block the subscriber. By default there is no such request, and no instance
	 */
	default Mono<List<ServiceInstance>> recent(String serviceId) {
		return Mono.just(List.of());
	}

	/**
	 * Whether an instance takes no users by its status in the registry.
	 * @param instance the instance as this look-up returned it
	 * @return {@code true} if its health check or an operator took it out of service; by
	 * default the registry has no such status
	 */
	default boolean refusesUsers(ServiceInstance instance) {
		return false;
	}

	/**
	 * Whether discovery has been read since the start, where its client reports no
	 * services until then. May block.
	 * @return {@code false} while services that are registered may be missing; by default
	 * there is no such time
	 */
	default boolean isFetched() {
		return true;
	}

}
