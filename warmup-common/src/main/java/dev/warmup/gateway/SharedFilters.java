package dev.warmup.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.SpringCloudCircuitBreakerFilterFactory;

/**
 * Selects the route filters that pinned warm-up bypasses, because they hold state that
 * users share, or answer in place of the service. Beans of this type add to
 * {@link #standard() those of Spring Cloud Gateway}. A filter whose order is less than
 * that of {@link WarmupGlobalFilter} is not bypassed: claims are not verified yet.
 */
@FunctionalInterface
public interface SharedFilters {

	/**
	 * Whether warm-up bypasses a filter. Called when routes are built, not for each
	 * request.
	 * @param filter a filter of a route, as its factory made it
	 * @return {@code true} for a filter that must not see warm-up
	 */
	boolean covers(GatewayFilter filter);

	/**
	 * The filters made by the factories of {@code CircuitBreaker},
	 * {@code RequestRateLimiter} and {@code Retry}, and by classes derived from them that
	 * are not nested in another.
	 * @return the filters to bypass in every gateway
	 */
	static SharedFilters standard() {
		return (filter) -> {
			// Factories return lambdas and anonymous classes, which share their nest
			// host.
			Class<?> factory = filter.getClass().getNestHost();
			return SpringCloudCircuitBreakerFilterFactory.class.isAssignableFrom(factory)
					|| RequestRateLimiterGatewayFilterFactory.class.isAssignableFrom(factory)
					|| RetryGatewayFilterFactory.class.isAssignableFrom(factory);
		};
	}

}
