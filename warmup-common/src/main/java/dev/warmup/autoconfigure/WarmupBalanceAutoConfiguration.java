package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.loadbalancer.AnnouncedInstances;
import dev.warmup.loadbalancer.Announcements;
import dev.warmup.loadbalancer.AwaitedRoutes;
import dev.warmup.loadbalancer.AwaitedServices;
import dev.warmup.loadbalancer.LoadBalancers;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.loadbalancer.UnreachableInstanceFilter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the gateway's load balancers:
 * warm-up goes to its claimant, users where instances take them.
 */
@AutoConfiguration(afterName = "org.springframework.cloud.gateway.discovery.GatewayDiscoveryClientAutoConfiguration")
@ConditionalOnClass({ GlobalFilter.class, LoadBalancerClientFactory.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@LoadBalancerClients(defaultConfiguration = WarmupLoadBalancerConfiguration.class)
public final class WarmupBalanceAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AnnouncedInstances warmupAnnouncedInstances() {
		return new AnnouncedInstances(Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	LoadBalancers warmupLoadBalancers(ObjectProvider<RouteLocator> routes,
			ObjectProvider<LoadBalancerClientFactory> factory) {
		return new LoadBalancers(routes, factory);
	}

	@Bean
	@ConditionalOnMissingBean
	RoutableInstances warmupRoutableInstances(AnnouncedInstances announced, ObjectProvider<AwaitedServices> awaited,
			LoadBalancers balancers) {
		return new Announcements(announced, awaited.stream().findFirst(), balancers);
	}

	@Bean
	@ConditionalOnMissingBean
	UnreachableInstanceFilter warmupUnreachableInstanceFilter(AnnouncedInstances announced) {
		return new UnreachableInstanceFilter(announced);
	}

	/** For suppliers that the application has outside of the load balancers' contexts. */
	@Bean
	@ConditionalOnMissingBean
	static PinningPostProcessor warmupPinningPostProcessor(ObjectProvider<AnnouncedInstances> announced,
			ObjectProvider<LoadBalancerCacheManager> caches) {
		return new PinningPostProcessor(announced, caches);
	}

	/** Where the gateway makes its routes from discovery. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ReactiveDiscoveryClient.class, DiscoveryClientRouteDefinitionLocator.class })
	@ConditionalOnBean({ DiscoveryClientRouteDefinitionLocator.class, DiscoveryLocatorProperties.class })
	static class RouteConfiguration {

		@Bean
		@ConditionalOnMissingBean
		AwaitedServices warmupAwaitedServices(ApplicationEventPublisher events, LoadBalancers balancers) {
			return new AwaitedServices(Clock.systemUTC(), events, balancers);
		}

		@Bean
		@ConditionalOnMissingBean
		AwaitedRoutes warmupAwaitedRoutes(AwaitedServices awaited, ReactiveDiscoveryClient registry,
				DiscoveryLocatorProperties properties) {
			return new AwaitedRoutes(awaited, registry, properties);
		}

	}

}
