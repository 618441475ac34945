package dev.warmup.loadbalancer;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.RandomLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;

/** An application with another load balancer. */
class RandomChoice {

	@Bean
	ReactorLoadBalancer<ServiceInstance> random(LoadBalancerClientFactory factory) {
		return new RandomLoadBalancer(factory.getLazyProvider("random", ServiceInstanceListSupplier.class), "random");
	}

}
