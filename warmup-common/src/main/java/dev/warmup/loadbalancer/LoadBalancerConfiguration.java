package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.warmup.discovery.InstanceAddress;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.MonotonicClock;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientSpecification;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;

/** Pins warm-up to its claimant, and routes users to instances that accept them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(LoadBalancerClientFactory.class)
public class LoadBalancerConfiguration {

	/**
	 * As {@code @LoadBalancerClients} would register it, except that code generated ahead
	 * of time names no class of this package in one of Spring Cloud's.
	 */
	@Bean
	static LoadBalancerClientSpecification warmupBalancerContext() {
		return new LoadBalancerClientSpecification("default." + BalancerContextConfiguration.class.getName(),
				new Class<?>[] { BalancerContextConfiguration.class });
	}

	@Bean
	AnnouncedInstances warmupAnnouncedInstances(ObjectProvider<InstanceLookup> lookups,
			ObjectProvider<LoadBalancerClientFactory> balancers, ApplicationContext context) {
		// no autowire candidate, so it has to be asked for by its type
		SingletonSupplier<LoadBalancerCacheManager> caches = SingletonSupplier
			.ofNullable(context.getBeanProvider(LoadBalancerCacheManager.class)::getIfAvailable);
		// announcements are repeated, perhaps after the context was closed
		SingletonSupplier<LoadBalancerClientFactory> factory = SingletonSupplier.ofNullable(balancers::getIfAvailable);
		return new AnnouncedInstances(MonotonicClock.system(),
				(instance) -> lookups.stream().anyMatch((lookup) -> isRefused(instance, lookup)),
				(service) -> Optional.ofNullable(caches.get())
					.map((each) -> each.getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME))
					.ifPresent((lists) -> service.ifPresentOrElse((id) -> spellings(id, factory).forEach(lists::evict),
							lists::clear)),
				Schedulers.parallel());
	}

	/**
	 * A list is cached under the name of its load balancer, which is as a route spells
	 * it.
	 */
	private static Stream<String> spellings(String service, Supplier<LoadBalancerClientFactory> balancers) {
		Stream<String> asRouted = Stream.ofNullable(balancers.get())
			.flatMap((each) -> each.getContextNames().stream())
			.filter(service::equalsIgnoreCase);
		return Stream.concat(asRouted,
				Stream.of(service, service.toLowerCase(Locale.ROOT), service.toUpperCase(Locale.ROOT)));
	}

	/** The status of an earlier instance of the same id does not count. */
	private static boolean isRefused(ServiceInstance instance, InstanceLookup lookup) {
		return Optional.ofNullable(instance.getInstanceId())
			.flatMap(lookup::known)
			.filter((known) -> InstanceAddress.key(known).equals(InstanceAddress.key(instance)))
			.filter(lookup::refusesUsers)
			.isPresent();
	}

	@Bean
	UserShares warmupUserShares(Settings settings) {
		return new UserShares(MonotonicClock.system(), settings.rampWindow(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	@Bean
	UserShareFilter warmupUserShareFilter(UserShares shares) {
		return new UserShareFilter(shares);
	}

	@Bean
	RoutableInstances warmupRoutableInstances(AnnouncedInstances announced, UserShares shares,
			ObjectProvider<AwaitedRoutes> awaited, ApplicationEventPublisher events,
			ObjectProvider<RouteLocator> routes, ObjectProvider<LoadBalancerClientFactory> balancers) {
		return new RoutableInstances(announced, shares, awaited.stream().findFirst(), events, routes, balancers);
	}

	@Bean
	UnreachableInstanceFilter warmupUnreachableInstanceFilter(AnnouncedInstances announced, UserShares shares) {
		return new UnreachableInstanceFilter(announced, shares);
	}

	/**
	 * For suppliers that the application has outside of the load balancers' contexts.
	 */
	@Bean
	static PinningPostProcessor warmupPinningPostProcessor(ObjectProvider<AnnouncedInstances> announced,
			ObjectProvider<UserShares> shares) {
		return new PinningPostProcessor(announced, shares);
	}

	/** Where the gateway makes its routes from discovery. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ReactiveDiscoveryClient.class, DiscoveryClientRouteDefinitionLocator.class })
	@ConditionalOnBean({ DiscoveryClientRouteDefinitionLocator.class, DiscoveryLocatorProperties.class })
	static class RouteConfiguration {

		@Bean
		AwaitedRoutes warmupAwaitedRoutes(ReactiveDiscoveryClient registry, DiscoveryLocatorProperties properties) {
			return new AwaitedRoutes(MonotonicClock.system(), registry, properties);
		}

	}

	/**
	 * How a gateway shares out users.
	 *
	 * @param rampWindow after how long an instance that opened before its run ended is a
	 * full member at the latest; 0 means at once
	 */
	public record Settings(Duration rampWindow) {

	}

}
