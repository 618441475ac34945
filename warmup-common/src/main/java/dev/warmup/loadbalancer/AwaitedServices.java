package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Services of which a verified claimant was seen, whether or not the registry shows one
 * of their instances to users. Each is kept for ten minutes after the last claimant; at
 * most 1000: beyond that the oldest is forgotten. Thread-safe.
 */
public final class AwaitedServices {

	private static final Duration KEPT = Duration.ofMinutes(10);

	private static final Duration LOOK_EVERY = Duration.ofMillis(50);

	private static final int MAX_LOOKS = 20;

	private final ApplicationEventPublisher events;

	private final LoadBalancers balancers;

	private final Recent<ServiceInstance> instances;

	/**
	 * Creates it without a service.
	 * @param clock the source of time
	 * @param events where to ask for new routes
	 * @param balancers knows which services are routed
	 */
	public AwaitedServices(Clock clock, ApplicationEventPublisher events, LoadBalancers balancers) {
		this.events = events;
		this.balancers = balancers;
		this.instances = new Recent<>(clock, KEPT);
	}

	/**
	 * Takes in a verified claimant.
	 * @param instance the claimant
	 * @return completes when its service is routed, or after a second, as not every
	 * service need have a route
	 */
	Mono<Void> learned(ServiceInstance instance) {
		return Mono.fromRunnable(() -> this.instances.put(key(instance.getServiceId()), instance))
			.then(Mono.defer(() -> this.balancers.isRouted(instance.getServiceId())))
			.filter((routed) -> !routed)
			.flatMap((unrouted) -> route(instance.getServiceId()));
	}

	private Mono<Void> route(String serviceId) {
		return Mono.fromRunnable(() -> this.events.publishEvent(new RefreshRoutesEvent(this)))
			.subscribeOn(Schedulers.boundedElastic())
			.then(Mono.defer(() -> this.balancers.isRouted(serviceId))
				.filter(Boolean::booleanValue)
				.repeatWhenEmpty((looks) -> looks.take(MAX_LOOKS).delayElements(LOOK_EVERY)))
			.then();
	}

	/**
	 * The last claimant of each service.
	 * @return one instance a service
	 */
	Collection<ServiceInstance> instances() {
		return this.instances.entries().values();
	}

	private static String key(String serviceId) {
		return serviceId.toLowerCase(Locale.ROOT);
	}

}
