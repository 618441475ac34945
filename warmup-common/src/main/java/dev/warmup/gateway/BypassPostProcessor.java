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
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Lets verified warm-up bypass {@link SharedFilters shared filters} in the routes of
 * every {@link RouteLocator} bean, the application's own included. A locator is proxied,
 * not replaced: it keeps its name, its interfaces and, where that can have a subclass,
 * its class. Routes without shared filters stay as they are.
 */
final class BypassPostProcessor implements BeanPostProcessor {

	/** Caches the routes of all other locators, so these are what has to be adapted. */
	private static final String CACHE = "cachedCompositeRouteLocator";

	private final ObjectProvider<SharedFilters> shared;

	BypassPostProcessor(ObjectProvider<SharedFilters> shared) {
		this.shared = shared;
	}

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
			List<SharedFilters> covering = this.shared.orderedStream().toList();
			return routes.map((each) -> (each instanceof Route route) ? withBypass(route, covering) : each);
		}
		return result;
	}

	private static Route withBypass(Route route, List<SharedFilters> shared) {
		if (route.getFilters().stream().noneMatch((filter) -> isShared(filter, shared))) {
			return route;
		}
		List<GatewayFilter> filters = route.getFilters()
			.stream()
			.map((filter) -> isShared(filter, shared) ? new BypassFilter(filter) : filter)
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

	private static boolean isShared(GatewayFilter filter, List<SharedFilters> shared) {
		GatewayFilter made = (filter instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : filter;
		return !(made instanceof BypassFilter) && shared.stream().anyMatch((filters) -> filters.covers(made));
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
