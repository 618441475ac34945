package dev.warmup.gateway;

import java.time.Duration;
import java.util.Optional;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;
import org.springframework.web.server.ServerWebExchange;

/**
 * What this gateway has to do with Spring Cloud's load balancers besides their choice.
 */
class Balancer {

	private final LoadBalancerClientFactory balancers;

	private final ObjectProvider<LoadBalancerCacheManager> caches;

	Balancer(LoadBalancerClientFactory balancers, ObjectProvider<LoadBalancerCacheManager> caches) {
		this.balancers = balancers;
		this.caches = caches;
	}

	/**
	 * Loads the list that users' choice is made from, without any effect on that choice,
	 * within a second. A load balancer is an application context: the first request for a
	 * service would create it on the event loop.
	 */
	Mono<Void> load(String service, ServerWebExchange exchange) {
		Mono<?> list = Mono
			.fromSupplier(() -> this.balancers.getProvider(service, ServiceInstanceListSupplier.class).getIfAvailable())
			.flatMap((supplier) -> {
				RequestData request = new RequestData(exchange.getRequest(), exchange.getAttributes());
				return supplier.get(new DefaultRequest<>(new RequestDataContext(request))).next();
			});
		return (this.balancers.getContextNames().contains(service) ? list
				: list.subscribeOn(Schedulers.boundedElastic()))
			.timeout(Duration.ofSeconds(1))
			.onErrorComplete()
			.then();
	}

	/**
	 * What is cached of a service's instances may be outdated. A list is cached under the
	 * service's name as a route spells it.
	 */
	@EventListener
	public void onFleetChanged(Fleet.Changed change) {
		Optional.ofNullable(this.caches.getIfAvailable())
			.map((manager) -> manager.getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME))
			.ifPresent((lists) -> this.balancers.getContextNames()
				.stream()
				.filter(change.instance().service()::equalsIgnoreCase)
				.forEach(lists::evict));
	}

	/**
	 * Corrects what each load balancer learns from discovery by what the {@link Fleet}
	 * knows, ahead of the registry's copy, and below the load balancer's own choice by
	 * zone, hint, or weight. Not a {@code @Configuration}: picked up by a component scan,
	 * it would be the application's.
	 */
	static class InstancesConfiguration {

		@Bean("dev.warmup.reactiveDiscoveryClient")
		@Primary
		@ConditionalOnBean(ReactiveDiscoveryClient.class)
		ReactiveDiscoveryClient reactive(ApplicationContext context, Fleet fleet) {
			ApplicationContext parent = context.getParent();
			ReactiveDiscoveryClient registry = ((parent != null) ? parent : context)
				.getBean(ReactiveDiscoveryClient.class);
			return new ReactiveDiscoveryClient() {

				@Override
				public String description() {
					return registry.description();
				}

				@Override
				public Flux<ServiceInstance> getInstances(String serviceId) {
					return registry.getInstances(serviceId)
						.collectList()
						.flatMapIterable((listed) -> fleet.routable(serviceId, listed));
				}

				@Override
				public Flux<String> getServices() {
					return registry.getServices();
				}

			};
		}

	}

}
