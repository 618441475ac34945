package dev.warmup.loadbalancer;

import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * What instances themselves said of taking users, ahead of the registry, which learns it
 * later. Thread-safe.
 */
public interface RoutableInstances {

	/**
	 * An instance takes users from now on.
	 * @param instance the instance with its address
	 */
	void opened(ServiceInstance instance);

	/**
	 * An instance takes no users any more.
	 * @param instanceId its name in discovery
	 */
	void leaving(String instanceId);

	/**
	 * A verified claimant was seen: makes its service routable for warm-up, and for
	 * warm-up alone.
	 * @param instance the claimant as the registry knows it
	 * @return completes when requests can be routed to the service, never fails; does
	 * nothing until subscribed to, and does not block the subscriber
	 */
	Mono<Void> learned(ServiceInstance instance);

}
