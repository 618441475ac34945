package dev.warmup.loadbalancer;

import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * What each load balancer's own context has in addition to the application's beans: the
 * pin, and the registry corrected by what instances announced. Not a
 * {@code @Configuration}: picked up by a component scan, it would be the application's.
 */
class BalancerContextConfiguration {

	@Bean
	static PinningPostProcessor warmupPinning(ObjectProvider<AnnouncedInstances> announced,
			ObjectProvider<UserShares> shares) {
		return new PinningPostProcessor(announced, shares);
	}

	@Bean
	@Primary
	@ConditionalOnBean(ReactiveDiscoveryClient.class)
	ReactiveDiscoveryClient warmupReactiveDiscoveryClient(ApplicationContext context, AnnouncedInstances announced) {
		return corrected(parent(context).getBean(ReactiveDiscoveryClient.class), announced);
	}

	@Bean
	@Primary
	@ConditionalOnBean(DiscoveryClient.class)
	DiscoveryClient warmupDiscoveryClient(ApplicationContext context, AnnouncedInstances announced) {
		return corrected(parent(context).getBean(DiscoveryClient.class), announced);
	}

	private static ApplicationContext parent(ApplicationContext context) {
		ApplicationContext parent = context.getParent();
		return (parent != null) ? parent : context;
	}

	/** Lists the instances that take users, by what they announced. */
	static ReactiveDiscoveryClient corrected(ReactiveDiscoveryClient registry, AnnouncedInstances announced) {
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

		};
	}

	/** The same for load balancers that block. */
	static DiscoveryClient corrected(DiscoveryClient registry, AnnouncedInstances announced) {
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

		};
	}

}
