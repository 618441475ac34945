package dev.warmup.gateway;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.registry.AnnouncedInstances;
import dev.warmup.registry.Registry;
import dev.warmup.service.ConditionalOnGateway;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnEndpoints;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import dev.warmup.service.WarmupProperties;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryClientRouteDefinitionLocator;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientSpecification;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a gateway. Where the warm-up is
 * off, only the library's headers are removed, and its paths closed.
 */
@AutoConfiguration(afterName = { "dev.warmup.registry.WarmupRegistryAutoConfiguration",
		"org.springframework.cloud.gateway.discovery.GatewayDiscoveryClientAutoConfiguration",
		"org.springframework.cloud.gateway.config.GatewayAutoConfiguration",
		"org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration" })
@ConditionalOnClass(GlobalFilter.class)
@Conditional(ConditionalOnGateway.GatewayCondition.class)
@EnableConfigurationProperties(WarmupProperties.class)
public final class WarmupGatewayAutoConfiguration {

	private static final String LOG = "dev.warmup.fleetLog";

	/** How long the gateway waits for its own warm-up at most. */
	private static final int BUDGETS = 3;

	private static final String CLOCK = "dev.warmup.clock";

	/** Without looks where the warm-up is off. */
	@Bean("dev.warmup.gatewayWebFilter")
	GatewayWebFilter webFilter(ObjectProvider<Looks> looks, ObjectProvider<AnnouncedInstances> announced) {
		return new GatewayWebFilter(looks.getIfAvailable(), announced.getIfAvailable());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	static class EnabledConfiguration {

		/** One thread, which may block: no request waits for the log. */
		@Bean(name = LOG, destroyMethod = "dispose", defaultCandidate = false)
		Scheduler log() {
			return Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "warmup-fleet", 60, true);
		}

		@Bean("dev.warmup.fleet")
		Fleet fleet(WarmupProperties properties, @Qualifier(CLOCK) Clock clock, @Qualifier(LOG) Scheduler log,
				ApplicationEventPublisher events) {
			return new Fleet(clock, properties.ramp().window(), () -> ThreadLocalRandom.current().nextDouble(),
					log::schedule, events::publishEvent);
		}

		/** Where there is no registry; load balancers have them from discovery. */
		@Bean("dev.warmup.announcedInstances")
		@ConditionalOnProperty("warmup.secret")
		@ConditionalOnMissingBean(Registry.class)
		AnnouncedInstances announced(WarmupProperties properties, @Qualifier(CLOCK) Clock clock) {
			return new AnnouncedInstances(properties.sharedSecret(), clock, Clock.tickMinutes(ZoneOffset.UTC));
		}

		@Bean("dev.warmup.strippedPrefixes")
		StrippedPrefixes strippedPrefixes(ObjectProvider<RouteDefinitionLocator> locator) {
			return new StrippedPrefixes(() -> locator.getIfAvailable(() -> Flux::empty).getRouteDefinitions());
		}

		/** By the client of the routes, with its TLS and proxy. */
		@Bean("dev.warmup.looks")
		Looks looks(ObjectProvider<Registry> registry, Fleet fleet, ObjectProvider<HttpClient> routes,
				Instance.Source self, StrippedPrefixes prefixes, @Qualifier(CLOCK) Clock clock) {
			HttpClient http = routes.getIfUnique(HttpClient::create)
				.followRedirect(false)
				.metrics(false, Function.identity());
			WebClient client = WebClient.builder() // another than the application's
													// traces
				.clientConnector(new ReactorClientHttpConnector(http))
				.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(InstanceState.MAX_BYTES))
				.build();
			return new Looks(registry.getIfAvailable(() -> List::of), fleet, client, self, prefixes, clock);
		}

		@Bean("dev.warmup.gatewayFilter")
		WarmupGlobalFilter globalFilter(Fleet fleet, Looks looks, WarmupProperties properties, UserActivity users) {
			return new WarmupGlobalFilter(fleet, looks,
					new Admission(properties.admission().limit(), Schedulers.parallel()), users);
		}

		@Bean("dev.warmup.instanceChoiceFilter")
		InstanceChoiceFilter choiceFilter(Fleet fleet, Looks looks, ObjectProvider<Balancer> balancer) {
			return new InstanceChoiceFilter(fleet, looks, Optional.ofNullable(balancer.getIfAvailable()));
		}

		@Bean("dev.warmup.instanceCheckFilter")
		InstanceChoiceFilter.Check checkFilter(InstanceChoiceFilter choice) {
			return choice.new Check();
		}

		@Bean("dev.warmup.requestHeaders")
		Routing.RequestHeaders requestHeaders() {
			return new Routing.RequestHeaders();
		}

		@Bean("dev.warmup.responseHeaders")
		Routing.ResponseHeaders responseHeaders() {
			return new Routing.ResponseHeaders();
		}

		@Bean("dev.warmup.bypass")
		static Bypass bypass() {
			return new Bypass();
		}

		@Bean("dev.warmup.gatewayWarmup")
		GatewayWarmup gatewayWarmup(Fleet fleet, Looks looks, Gate gate, OwnState own, UserActivity users,
				ObjectProvider<OwnEndpoints> endpoints, WarmupProperties properties, @Qualifier(CLOCK) Clock clock) {
			return new GatewayWarmup(fleet, looks, gate, own, users,
					endpoints.getIfAvailable(() -> (idle) -> Flux.empty()),
					properties.startup().budget().multipliedBy(BUDGETS), properties.idle()::withJitter, clock);
		}

		/** Where the gateway makes its routes from discovery. */
		@Bean("dev.warmup.awaitedRoutes")
		@ConditionalOnBean({ DiscoveryClientRouteDefinitionLocator.class, DiscoveryLocatorProperties.class })
		AwaitedRoutes awaitedRoutes(Fleet fleet, ReactiveDiscoveryClient registry,
				DiscoveryLocatorProperties properties, ApplicationEventPublisher events) {
			return new AwaitedRoutes(fleet, registry, properties, events);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass(LoadBalancerClientFactory.class)
	@ConditionalOnBean(LoadBalancerClientFactory.class)
	static class BalancerConfiguration {

		/**
		 * As {@code @LoadBalancerClients} would register it, except that code generated
		 * ahead of time names no class of this package in one of Spring Cloud's.
		 */
		@Bean("dev.warmup.balancedInstances")
		static LoadBalancerClientSpecification balancedInstances() {
			return new LoadBalancerClientSpecification("default." + Balancer.InstancesConfiguration.class.getName(),
					new Class<?>[] { Balancer.InstancesConfiguration.class });
		}

		@Bean("dev.warmup.balancer")
		Balancer balancer(LoadBalancerClientFactory balancers, ApplicationContext context) {
			// no autowire candidate, so it has to be asked for by its type
			return new Balancer(balancers, context.getBeanProvider(LoadBalancerCacheManager.class));
		}

	}

}
