package dev.warmup.loadbalancer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/**
 * Lets every supplier of instances, also one of the application's own, send pinned
 * requests to their instance: whatever it caches, filters or weighs, it does below the
 * pin. Where one supplier stands on another, both are wrapped, and the outer one counts.
 */
public final class PinningPostProcessor implements BeanPostProcessor {

	private final ObjectProvider<AnnouncedInstances> announced;

	private final ObjectProvider<LoadBalancerCacheManager> caches;

	/**
	 * Creates the post-processor.
	 * @param announced what instances said of taking users
	 * @param caches where the load balancer keeps its lists
	 */
	public PinningPostProcessor(ObjectProvider<AnnouncedInstances> announced,
			ObjectProvider<LoadBalancerCacheManager> caches) {
		this.announced = announced;
		this.caches = caches;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof ServiceInstanceListSupplier supplier && !(bean instanceof PinnedInstanceSupplier))
				? new PinnedInstanceSupplier(supplier, this.announced.getObject(), this.caches) : bean;
	}

}
