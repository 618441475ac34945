package dev.warmup.jmh;

import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;

/** What the library keeps in an application. */
final class Kept {

	private Kept() {
	}

	/**
	 * The library's beans, those of the gateway's load balancer among them, and all that
	 * these keep.
	 * @param context an application
	 * @return the objects, each once
	 */
	static List<Object> by(ApplicationContext context) {
		List<Object> beans = new ArrayList<>(context.getBeansOfType(Object.class).values());
		for (FilterRegistrationBean<?> registration : context.getBeansOfType(FilterRegistrationBean.class).values()) {
			beans.add(registration.getFilter());
		}
		context.getBeanProvider(LoadBalancerClientFactory.class)
			.ifAvailable((balancers) -> beans
				.addAll(balancers.getInstances(Contexts.SERVICE, ServiceInstanceListSupplier.class).values()));
		beans.removeIf((bean) -> !Contexts.isOfTheLibrary(bean));
		return Reachable.from(beans);
	}

}
