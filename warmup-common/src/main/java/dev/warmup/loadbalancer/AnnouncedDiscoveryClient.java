package dev.warmup.loadbalancer;

import java.util.List;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/** The registry, corrected by what instances announced, where a load balancer blocks. */
public final class AnnouncedDiscoveryClient implements DiscoveryClient {

	private final DiscoveryClient registry;

	private final AnnouncedInstances announced;

	/**
	 * Creates the client.
	 * @param registry what is corrected
	 * @param announced what instances said of taking users
	 */
	public AnnouncedDiscoveryClient(DiscoveryClient registry, AnnouncedInstances announced) {
		this.registry = registry;
		this.announced = announced;
	}

	@Override
	public String description() {
		return this.registry.description();
	}

	@Override
	public List<ServiceInstance> getInstances(String serviceId) {
		return this.announced.routable(serviceId, this.registry.getInstances(serviceId));
	}

	@Override
	public List<String> getServices() {
		return this.registry.getServices();
	}

	@Override
	public int getOrder() {
		return this.registry.getOrder();
	}

}
