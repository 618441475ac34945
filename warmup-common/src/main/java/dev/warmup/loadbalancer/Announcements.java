package dev.warmup.loadbalancer;

import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/** Passes what instances announce to the load balancers and the routes. */
public final class Announcements implements RoutableInstances {

	private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

	private final AnnouncedInstances announced;

	private final Optional<AwaitedServices> awaited;

	private final LoadBalancers balancers;

	/**
	 * Creates it.
	 * @param announced where load balancers look
	 * @param awaited where the gateway looks for routes, if it makes routes from
	 * discovery
	 * @param balancers the load balancers that routes lead to
	 */
	public Announcements(AnnouncedInstances announced, Optional<AwaitedServices> awaited, LoadBalancers balancers) {
		this.announced = announced;
		this.awaited = awaited;
		this.balancers = balancers;
	}

	@Override
	public void opened(ServiceInstance instance) {
		this.announced.opened(instance);
	}

	@Override
	public void leaving(String instanceId) {
		this.announced.leaving(instanceId);
	}

	@Override
	public Mono<Void> learned(ServiceInstance instance) {
		return this.awaited.map((services) -> services.learned(instance))
			.orElseGet(Mono::empty)
			.then(Mono.defer(() -> this.balancers.prepare(instance.getServiceId())))
			.doOnError((error) -> logger.debug("{} is not routed ahead of its first request", instance.getServiceId(),
					error))
			.onErrorComplete();
	}

}
