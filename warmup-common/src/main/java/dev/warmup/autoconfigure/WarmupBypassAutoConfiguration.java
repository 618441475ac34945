package dev.warmup.autoconfigure;

import java.util.List;

import dev.warmup.gateway.BypassRouteLocator;
import dev.warmup.gateway.Rehearsal;
import dev.warmup.gateway.SharedFilters;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.CompositeRouteLocator;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what a gateway's warm-up passes
 * by: circuit breakers, limits and retries, which users share.
 */
@AutoConfiguration(beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = { "warmup.enabled", "spring.cloud.gateway.server.webflux.enabled" },
		matchIfMissing = true)
public final class WarmupBypassAutoConfiguration {

	/** The application's own beans of this type add to it. */
	@Bean
	@ConditionalOnMissingBean(name = "warmupSharedFilters")
	SharedFilters warmupSharedFilters() {
		return SharedFilters.standard();
	}

	@Bean
	@ConditionalOnMissingBean
	Rehearsal warmupRehearsal(ObjectProvider<ReactiveCircuitBreakerFactory<?, ?>> breakers,
			ObjectProvider<RateLimiter<?>> limiters) {
		return new Rehearsal(breakers::stream, limiters::stream);
	}

	/**
	 * Takes the place of the gateway's own bean, which gives way to this name: the cache
	 * on the outside, so that routes are made over only when they change.
	 */
	@Bean
	@Primary
	@ConditionalOnMissingBean(name = "cachedCompositeRouteLocator")
	RouteLocator cachedCompositeRouteLocator(ObjectProvider<List<RouteLocator>> locators,
			ObjectProvider<SharedFilters> shared, Rehearsal rehearsal) {
		RouteLocator all = new CompositeRouteLocator(Flux.fromIterable(locators.getIfAvailable(List::of)));
		return new CachingRouteLocator(new BypassRouteLocator(all, shared.orderedStream().toList(), rehearsal));
	}

}
