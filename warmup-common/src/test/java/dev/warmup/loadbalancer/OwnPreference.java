package dev.warmup.loadbalancer;

import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** An application that puts a supplier of its own in front of another. */
class OwnPreference {

	@Bean
	ServiceInstanceListSupplier base(ConfigurableApplicationContext context) {
		return ServiceInstanceListSupplier.builder().withDiscoveryClient().build(context);
	}

	@Bean
	@Primary
	ServiceInstanceListSupplier first(ServiceInstanceListSupplier base) {
		return new First(base);
	}

	private static final class First extends DelegatingServiceInstanceListSupplier {

		private First(ServiceInstanceListSupplier delegate) {
			super(delegate);
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return this.delegate.get().map((instances) -> instances.subList(0, Math.min(1, instances.size())));
		}

	}

}
