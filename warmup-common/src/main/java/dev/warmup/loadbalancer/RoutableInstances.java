package dev.warmup.loadbalancer;

import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Applies what instances announce of taking users to load balancers and routes, ahead of
 * the registry. Thread-safe.
 */
public final class RoutableInstances {

	private static final Logger logger = LoggerFactory.getLogger(RoutableInstances.class);

	private final AnnouncedInstances announced;

	private final Optional<AwaitedRoutes> awaited;

	private final LoadBalancers balancers;

	/**
	 * Creates it.
	 * @param announced corrects the lists of load balancers
	 * @param awaited adds routes, if the gateway creates routes from discovery
	 * @param balancers the load balancers that routes lead to
	 */
	public RoutableInstances(AnnouncedInstances announced, Optional<AwaitedRoutes> awaited, LoadBalancers balancers) {
		this.announced = announced;
		this.awaited = awaited;
		this.balancers = balancers;
	}

	/**
	 * An instance takes users from now on.
	 * @param instance the instance with its address
	 */
	public void opened(ServiceInstance instance) {
		this.announced.opened(instance);
	}

	/**
	 * An instance takes no users any more.
	 * @param instanceId its id in discovery
	 * @param known the instance as discovery knows it, if it does
	 */
	public void leaving(String instanceId, Optional<ServiceInstance> known) {
		this.announced.leaving(instanceId, known);
	}

	/**
	 * An instance registered with a verified claim: makes its service routable, for
	 * warm-up only.
	 * @param instance the claimant as the registry knows it
	 * @return completes when requests can be routed to the service; never fails, and does
	 * not block the subscriber
	 */
	public Mono<Void> registered(ServiceInstance instance) {
		return Mono.justOrEmpty(this.awaited)
			.flatMap((routes) -> routes.add(instance))
			.then(Mono.defer(() -> this.balancers.prepare(instance.getServiceId())))
			.doOnError((error) -> logger.debug("{} is not routed ahead of its first request", instance.getServiceId(),
					error))
			.onErrorComplete();
	}

}
