package dev.warmup.gateway;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import dev.warmup.loadbalancer.PinningPostProcessor;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.SpringCloudCircuitBreakerFilterFactory;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Lets pinned warm-up bypass circuit breakers, limiters, and retries, which hold state
 * that users share, or answer in place of the service, in the routes of every
 * {@link RouteLocator} bean, the application's own included. A locator is proxied, not
 * replaced: it keeps its name, its interfaces and, where that can have a subclass, its
 * class. Routes without such filters stay as they are.
 */
final class BypassPostProcessor implements BeanPostProcessor {

	/** Caches the routes of all other locators, so these are what has to be adapted. */
	private static final String CACHE = "cachedCompositeRouteLocator";

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof RouteLocator) || (bean instanceof CachingRouteLocator && beanName.equals(CACHE))) {
			return bean;
		}
		ProxyFactory proxy = new ProxyFactory(bean);
		proxy.setProxyTargetClass(
				Arrays.stream(ClassUtils.getUserClass(bean).getMethods()).noneMatch(BypassPostProcessor::isFixed));
		proxy.addAdvice((MethodInterceptor) this::intercept);
		ClassLoader loader = bean.getClass().getClassLoader();
		try {
			return proxy.getProxy(loader);
		}
		catch (AopConfigException ex) { // final, or with private constructors only
			proxy.setProxyTargetClass(false);
			return proxy.getProxy(loader);
		}
	}

	/** Would be called on the proxy itself, which has none of the locator's fields. */
	private static boolean isFixed(Method method) {
		return method.getName().startsWith("getRoutes") && Modifier.isFinal(method.getModifiers());
	}

	private @Nullable Object intercept(MethodInvocation invocation) throws Throwable {
		Object result = invocation.proceed();
		if (result instanceof Flux<?> routes && invocation.getMethod().getName().startsWith("getRoutes")) {
			return routes.map((each) -> (each instanceof Route route) ? withBypass(route) : each);
		}
		return result;
	}

	private static Route withBypass(Route route) {
		if (route.getFilters().stream().noneMatch(BypassPostProcessor::isShared)) {
			return route;
		}
		List<GatewayFilter> filters = route.getFilters()
			.stream()
			.map((filter) -> isShared(filter) ? new BypassFilter(filter) : filter)
			.toList();
		return Route.async()
			.id(route.getId())
			.uri(route.getUri())
			.order(route.getOrder())
			.asyncPredicate(route.getPredicate())
			.replaceFilters(filters)
			.replaceMetadata(route.getMetadata())
			.build();
	}

	/**
	 * Whether a factory of {@code CircuitBreaker}, {@code RequestRateLimiter} or
	 * {@code Retry} made it, or a class derived from one that is not nested in another.
	 */
	private static boolean isShared(GatewayFilter filter) {
		GatewayFilter made = (filter instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : filter;
		// factories return lambdas and anonymous classes, which share their nest host
		Class<?> factory = made.getClass().getNestHost();
		return SpringCloudCircuitBreakerFilterFactory.class.isAssignableFrom(factory)
				|| RequestRateLimiterGatewayFilterFactory.class.isAssignableFrom(factory)
				|| RetryGatewayFilterFactory.class.isAssignableFrom(factory);
	}

	/**
	 * A filter that applies to users and not to verified warm-up, with the order and the
	 * name of the original.
	 *
	 * @param filter the original
	 */
	record BypassFilter(GatewayFilter filter) implements GatewayFilter, Ordered {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			return exchange.getAttributes().containsKey(PinningPostProcessor.ATTRIBUTE) ? chain.filter(exchange)
					: this.filter.filter(exchange, chain);
		}

		@Override
		public int getOrder() {
			return (this.filter instanceof Ordered ordered) ? ordered.getOrder()
					: OrderUtils.getOrder(this.filter.getClass(), Ordered.LOWEST_PRECEDENCE);
		}

		@Override
		public String toString() {
			return this.filter.toString();
		}

	}

}
