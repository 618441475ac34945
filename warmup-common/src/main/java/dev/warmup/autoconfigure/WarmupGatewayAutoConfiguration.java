package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import com.netflix.discovery.EurekaClient;
import dev.warmup.GateOpened;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.gateway.Admission;
import dev.warmup.gateway.AdmissionFilter;
import dev.warmup.gateway.BypassPostProcessor;
import dev.warmup.gateway.EurekaRegistryFetch;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayListener;
import dev.warmup.gateway.GatewayReadiness;
import dev.warmup.gateway.GatewayWarmup;
import dev.warmup.gateway.GatewayWarmupClient;
import dev.warmup.gateway.GatewayWarmupSchedule;
import dev.warmup.gateway.ProtocolFilter;
import dev.warmup.gateway.RegistryFetch;
import dev.warmup.gateway.RunReports;
import dev.warmup.gateway.SharedFilters;
import dev.warmup.gateway.WarmableServices;
import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.loadbalancer.AnnouncedInstances;
import dev.warmup.loadbalancer.AwaitedRoutes;
import dev.warmup.loadbalancer.LoadBalancers;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.loadbalancer.UnreachableInstanceFilter;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.netflix.eureka.EurekaClientConfigBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a reactive Spring Cloud Gateway:
 * its filters, its load balancers (warm-up goes to its claimant, users to instances that
 * take them), and the runs that it requests from services to be warmed itself.
 */
@AutoConfiguration(after = WarmupDiscoveryAutoConfiguration.class,
		afterName = "org.springframework.cloud.gateway.discovery.GatewayDiscoveryClientAutoConfiguration")
@ConditionalOnGateway
@ConditionalOnClass(GlobalFilter.class)
public final class WarmupGatewayAutoConfiguration {

	@Bean
	Fleet warmupFleet() {
		return new Fleet(Clock.systemUTC());
	}

	@Bean
	WarmupGlobalFilter warmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, UserActivity users,
			ObjectProvider<GatewayListener> listeners, InstanceSource instance) {
		int processors = Runtime.getRuntime().availableProcessors();
		return new WarmupGlobalFilter(verifier, fleet, users, listeners.orderedStream().toList(),
				() -> JvmReading.now(instance.get().instanceId(), processors));
	}

	@Bean
	ProtocolFilter warmupProtocolFilter(InstanceSource instance, ClaimVerifier verifier, Fleet fleet,
			ObjectProvider<RoutableInstances> routable, ObjectProvider<GatewayListener> listeners) {
		Optional<RoutableInstances> routes = Optional.ofNullable(routable.getIfAvailable());
		return new ProtocolFilter(() -> instance.get().instanceId(), verifier,
				new RunReports(fleet, routes, listeners.orderedStream().toList()), routes);
	}

	@Bean
	Admission warmupAdmission(WarmupProperties properties) {
		return new Admission(properties.admission().limit(), Schedulers.parallel());
	}

	@Bean
	AdmissionFilter warmupAdmissionFilter(Admission admission, ObjectProvider<GatewayListener> listeners) {
		return new AdmissionFilter(admission, listeners.orderedStream().toList());
	}

	/**
	 * The filters that warm-up bypasses; the application's own beans of this type add to
	 * them.
	 */
	@Bean
	SharedFilters warmupSharedFilters() {
		return SharedFilters.standard();
	}

	@Bean
	static BypassPostProcessor warmupBypass(ObjectProvider<SharedFilters> shared) {
		return new BypassPostProcessor(shared);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LoadBalancerClientFactory.class)
	@LoadBalancerClients(defaultConfiguration = WarmupLoadBalancerConfiguration.class)
	static class BalancerConfiguration {

		@Bean
		AnnouncedInstances warmupAnnouncedInstances() {
			return new AnnouncedInstances(Clock.systemUTC());
		}

		@Bean
		LoadBalancers warmupLoadBalancers(ObjectProvider<RouteLocator> routes,
				ObjectProvider<LoadBalancerClientFactory> factory) {
			return new LoadBalancers(routes, factory);
		}

		@Bean
		RoutableInstances warmupRoutableInstances(AnnouncedInstances announced, ObjectProvider<AwaitedRoutes> awaited,
				LoadBalancers balancers) {
			return new RoutableInstances(announced, awaited.stream().findFirst(), balancers);
		}

		@Bean
		UnreachableInstanceFilter warmupUnreachableInstanceFilter(AnnouncedInstances announced) {
			return new UnreachableInstanceFilter(announced);
		}

		/**
		 * For suppliers that the application has outside of the load balancers' contexts.
		 */
		@Bean
		static PinningPostProcessor warmupPinningPostProcessor(ObjectProvider<AnnouncedInstances> announced,
				ObjectProvider<LoadBalancerCacheManager> caches) {
			return new PinningPostProcessor(announced, caches);
		}

	}

	/** Where the gateway makes its routes from discovery. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ LoadBalancerClientFactory.class, ReactiveDiscoveryClient.class,
			DiscoveryClientRouteDefinitionLocator.class })
	@ConditionalOnBean({ DiscoveryClientRouteDefinitionLocator.class, DiscoveryLocatorProperties.class })
	static class RouteConfiguration {

		@Bean
		AwaitedRoutes warmupAwaitedRoutes(ApplicationEventPublisher events, LoadBalancers balancers,
				ReactiveDiscoveryClient registry, DiscoveryLocatorProperties properties) {
			return new AwaitedRoutes(Clock.systemUTC(), events, balancers, registry, properties);
		}

	}

	/**
	 * Runs that warm the gateway itself, where there is discovery to find services in.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DiscoveryClient.class)
	@ConditionalOnBean(DiscoveryClient.class)
	static class OwnWarmupConfiguration {

		@Bean
		Gate warmupGatewayGate(WarmupProperties properties, ApplicationEventPublisher events) {
			return new Gate(properties.gate().enabled(), properties.gate().onFailure(),
					() -> events.publishEvent(new GateOpened()));
		}

		@Bean
		GatewayWarmupSchedule warmupGatewaySchedule(Fleet fleet, UserActivity users, IdleSchedule schedule) {
			return new GatewayWarmupSchedule(fleet, users, schedule, Clock.systemUTC(),
					() -> ThreadLocalRandom.current().nextDouble());
		}

		/**
		 * Without a pool: the client is needed a few times at start, and hardly after.
		 */
		@Bean
		GatewayWarmup warmupGatewayWarmup(DiscoveryClient discovery, ObjectProvider<RegistryFetch> fetches,
				InstanceSource self, WarmupToken token, Fleet fleet, GatewayWarmupSchedule schedule, Gate gate,
				WarmupProperties properties) {
			Duration budget = properties.startup().budget();
			WebClient client = WebClient.builder()
				.clientConnector(new ReactorClientHttpConnector(HttpClient.newConnection()))
				.build();
			return new GatewayWarmup(new WarmableServices(discovery, fetches.orderedStream().toList(), self),
					new GatewayWarmupClient(client, self, token), fleet, schedule,
					new GatewayReadiness(gate, schedule, self, budget, Clock.systemUTC()), budget,
					Schedulers.parallel());
		}

		@Bean
		static WarmupTimers warmupGatewayTimers(ConfigurableListableBeanFactory beans) {
			return new WarmupTimers(beans, List.of(GatewayWarmup.class));
		}

	}

	/** Eureka's client reports no services until it has fetched the registry. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EurekaClient.class, EurekaClientConfigBean.class })
	static class EurekaConfiguration {

		@Bean
		RegistryFetch warmupEurekaFetch(ObjectProvider<EurekaClient> clients) {
			return new EurekaRegistryFetch(() -> Optional.ofNullable(clients.getIfUnique()));
		}

	}

}
