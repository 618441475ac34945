package dev.warmup.gateway;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.SpringCloudCircuitBreakerFilterFactory;

/**
 * Names the route filters that verified warm-up passes by, since they hold what users
 * share, or answer or ask in place of the service. Beans of this type add to
 * {@link #standard() those of Spring Cloud Gateway}.
 */
@FunctionalInterface
public interface SharedFilters {

	/**
	 * Tells whether warm-up passes a filter by. Is asked when routes are made, not at
	 * each request.
	 * @param filter a filter of a route, as its factory made it
	 * @return {@code true} for a filter that must not see warm-up
	 */
	boolean covers(GatewayFilter filter);

	/**
	 * Those made by the factories of {@code CircuitBreaker}, {@code RequestRateLimiter}
	 * and {@code Retry}, and by classes derived from them that are not nested in another.
	 * @return the filters to pass by in every gateway
	 */
	static SharedFilters standard() {
		return (filter) -> {
			// Factories make lambdas and anonymous classes, which share the factory's
			// nest.
			Class<?> maker = filter.getClass().getNestHost();
			return SpringCloudCircuitBreakerFilterFactory.class.isAssignableFrom(maker)
					|| RequestRateLimiterGatewayFilterFactory.class.isAssignableFrom(maker)
					|| RetryGatewayFilterFactory.class.isAssignableFrom(maker);
		};
	}

}
