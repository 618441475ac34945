package dev.warmup.loadbalancer;

import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;

/** The registry as load balancers see it, corrected by what instances announced. */
final class AnnouncedDiscoveryClients {

	private AnnouncedDiscoveryClients() {
	}

	/**
	 * Corrects a reactive client.
	 * @param registry the client to correct
	 * @param announced what instances announced
	 * @return a client that lists the instances that take users
	 */
	public static ReactiveDiscoveryClient of(ReactiveDiscoveryClient registry, AnnouncedInstances announced) {
		return new ReactiveDiscoveryClient() {

			@Override
			public String description() {
				return registry.description();
			}

			@Override
			public Flux<ServiceInstance> getInstances(String serviceId) {
				return registry.getInstances(serviceId)
					.collectList()
					.flatMapIterable((listed) -> announced.routable(serviceId, listed));
			}

			@Override
			public Flux<String> getServices() {
				return registry.getServices();
			}

			@Override
			public int getOrder() {
				return registry.getOrder();
			}

		};
	}

	/**
	 * Corrects a client, for load balancers that block.
	 * @param registry the client to correct
	 * @param announced what instances announced
	 * @return a client that lists the instances that take users
	 */
	public static DiscoveryClient of(DiscoveryClient registry, AnnouncedInstances announced) {
		return new DiscoveryClient() {

			@Override
			public String description() {
				return registry.description();
			}

			@Override
			public List<ServiceInstance> getInstances(String serviceId) {
				return announced.routable(serviceId, registry.getInstances(serviceId));
			}

			@Override
			public List<String> getServices() {
				return registry.getServices();
			}

			@Override
			public int getOrder() {
				return registry.getOrder();
			}

		};
	}

}
