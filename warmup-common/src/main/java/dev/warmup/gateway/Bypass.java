package dev.warmup.gateway;

import org.aopalliance.intercept.MethodInterceptor;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.SpringCloudCircuitBreakerFilterFactory;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;

/**
 * Lets verified warm-up pass by circuit breakers, limiters and retries, which hold state
 * that users share, or answer in place of the service. Wraps what the beans make that
 * make such filters. The first request of each route in a run that changes nothing goes
 * through them, so that no user meets them cold.
 */
final class Bypass implements BeanPostProcessor {

	/** Exchange attribute: whether the request passes by these filters. */
	static final String ATTRIBUTE = Bypass.class.getName();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof SpringCloudCircuitBreakerFilterFactory
				|| bean instanceof RequestRateLimiterGatewayFilterFactory
				|| bean instanceof RetryGatewayFilterFactory)) {
			return bean;
		}
		ProxyFactory proxy = new ProxyFactory(bean);
		proxy.setProxyTargetClass(true); // routes ask for the bean by its class
		proxy.addAdvice((MethodInterceptor) (invocation) -> {
			Object made = invocation.proceed();
			return (made instanceof GatewayFilter filter) ? bypassed(filter) : made;
		});
		return proxy.getProxy(bean.getClass().getClassLoader());
	}

	private static GatewayFilter bypassed(GatewayFilter filter) {
		GatewayFilter bypassed = new BypassedFilter(filter);
		return (filter instanceof Ordered ordered) ? new OrderedGatewayFilter(bypassed, ordered.getOrder()) : bypassed;
	}

	/**
	 * A filter that applies to users alone.
	 *
	 * @param filter the original
	 */
	private record BypassedFilter(GatewayFilter filter) implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			return exchange.getAttributeOrDefault(ATTRIBUTE, false) ? chain.filter(exchange)
					: this.filter.filter(exchange, chain);
		}

	}

}
