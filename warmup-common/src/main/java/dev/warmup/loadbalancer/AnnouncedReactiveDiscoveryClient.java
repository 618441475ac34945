package dev.warmup.loadbalancer;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;

/** The registry, corrected by what instances announced. */
public final class AnnouncedReactiveDiscoveryClient implements ReactiveDiscoveryClient {

	private final ReactiveDiscoveryClient registry;

	private final AnnouncedInstances announced;

	/**
	 * Creates the client.
	 * @param registry what is corrected
	 * @param announced what instances said of taking users
	 */
	public AnnouncedReactiveDiscoveryClient(ReactiveDiscoveryClient registry, AnnouncedInstances announced) {
		this.registry = registry;
		this.announced = announced;
	}

	@Override
	public String description() {
		return this.registry.description();
	}

	@Override
	public Flux<ServiceInstance> getInstances(String serviceId) {
		return this.registry.getInstances(serviceId)
			.collectList()
			.flatMapIterable((listed) -> this.announced.routable(serviceId, listed));
	}

	@Override
	public Flux<String> getServices() {
		return this.registry.getServices();
	}

	@Override
	public int getOrder() {
		return this.registry.getOrder();
	}

}
