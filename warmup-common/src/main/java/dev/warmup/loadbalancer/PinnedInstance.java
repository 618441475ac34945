package dev.warmup.loadbalancer;

import dev.warmup.discovery.InstanceAddress;

import org.springframework.cloud.client.ServiceInstance;

/**
 * The one instance that a warm-up request may go to.
 *
 * @param instance the instance
 */
record PinnedInstance(ServiceInstance instance) implements InstanceView {

	static ServiceInstance of(ServiceInstance instance) {
		return new PinnedInstance(InstanceAddress.bracketed(instance));
	}

}
