package dev.warmup.loadbalancer;

import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.annotation.Bean;

/** An application whose list does not come from discovery. */
class OwnSupplier {

	@Bean
	ServiceInstanceListSupplier fixed(Registry registry) {
		return new Fixed(registry);
	}

	private record Fixed(Registry registry) implements ServiceInstanceListSupplier {

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
