package dev.warmup.discovery;

import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/** Finds an instance by its name in discovery, whatever its status there. */
@FunctionalInterface
public interface InstanceLookup {

	/**
	 * Asks discovery for an instance, anew at each subscription.
	 * @param instanceId its name in discovery, from anyone
	 * @return the instance with its metadata, or an empty optional when discovery does
	 * not know it; fails when discovery could not be asked; does not block the subscriber
	 */
	Mono<Optional<ServiceInstance>> find(String instanceId);

	/**
	 * Tells what is known of an instance without asking anyone, from memory; it may lag
	 * behind discovery. Does not block.
	 * @param instanceId its name in discovery, from anyone
	 * @return the instance with its metadata, or empty, as by default, when nothing of it
	 * is at hand
	 */
	default Optional<ServiceInstance> known(String instanceId) {
		return Optional.empty();
	}

}
