package dev.warmup.loadbalancer;

import org.springframework.cloud.client.ServiceInstance;

/**
 * An instance that takes users by its own word, before the registry says so.
 *
 * @param instance the instance
 */
record OpenedInstance(ServiceInstance instance) implements InstanceView {

}
