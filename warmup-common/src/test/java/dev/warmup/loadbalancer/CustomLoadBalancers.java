package dev.warmup.loadbalancer;

import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.RandomLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Load balancers that applications may have. Not nested in the gateway's configuration,
 * which would make them its own.
 */
final class CustomLoadBalancers {

	private CustomLoadBalancers() {
	}

	/** An application with another load balancer. */
	static class RandomChoice {

		@Bean
		ReactorLoadBalancer<ServiceInstance> random(LoadBalancerClientFactory factory) {
			return new RandomLoadBalancer(factory.getLazyProvider("random", ServiceInstanceListSupplier.class),
					"random");
		}

	}

	/** An application whose list does not come from discovery. */
	static class OwnSupplier {

		@Bean
		ServiceInstanceListSupplier fixed(PinningGateway.Registry registry) {
			return new Fixed(registry);
		}

		private record Fixed(PinningGateway.Registry registry) implements ServiceInstanceListSupplier {

			@Override
			public String getServiceId() {
				return "own";
			}

			@Override
			public Flux<List<ServiceInstance>> get() {
				return this.registry.getInstances("elsewhere").collectList().flux();
			}

		}

	}

	/** An application that puts a supplier of its own in front of another. */
	static class OwnPreference {

		@Bean
		ServiceInstanceListSupplier base(ConfigurableApplicationContext context) {
			return ServiceInstanceListSupplier.builder().withDiscoveryClient().build(context);
		}

		@Bean
		@Primary
		ServiceInstanceListSupplier first(ServiceInstanceListSupplier base) {
			return new DelegatingServiceInstanceListSupplier(base) {

				@Override
				public Flux<List<ServiceInstance>> get() {
					return base.get().map((instances) -> instances.subList(0, Math.min(1, instances.size())));
				}

			};
		}

	}

}
