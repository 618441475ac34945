package dev.warmup.loadbalancer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.Cache;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.DiscoveryClientServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/**
 * Sends a pinned request to its instance and to no other, and every other request where
 * the delegate does, but to no instance that is leaving. Lists that are asked for without
 * a request are the delegate's own. A pinned request has users' list made, too, for the
 * sake of what that loads, and does not look at it.
 * <p>
 * Instances that opened are added here only where the delegate has its list from
 * elsewhere than discovery: otherwise they come from below, by
 * {@link AnnouncedReactiveDiscoveryClient}, so that the delegate's choice by zone, hint,
 * version or session holds for them too.
 */
final class PinnedInstanceSupplier extends DelegatingServiceInstanceListSupplier {

	/** What a pinned request spends at most on the list that users get. */
	private static final Duration USERS_WAY = Duration.ofSeconds(1);

	private final AnnouncedInstances announced;

	private final ObjectProvider<LoadBalancerCacheManager> caches;

	private final boolean corrected;

	private volatile Instant settled = Instant.MIN;

	PinnedInstanceSupplier(ServiceInstanceListSupplier delegate, AnnouncedInstances announced,
			ObjectProvider<LoadBalancerCacheManager> caches) {
		super(delegate);
		this.announced = announced;
		this.caches = caches;
		this.corrected = isCorrected(delegate);
	}

	@Override
	public Flux<List<ServiceInstance>> get() {
		return this.delegate.get();
	}

	@Override
	@SuppressWarnings("rawtypes")
	public Flux<List<ServiceInstance>> get(Request request) {
		if (pin(request) instanceof ServiceInstance instance) {
			List<ServiceInstance> pinned = List.of(PinnedInstance.of(instance));
			return routable(request).next()
				.timeout(USERS_WAY, Mono.empty())
				.onErrorComplete()
				.thenReturn(pinned)
				.flux();
		}
		return routable(request);
	}

	@SuppressWarnings("rawtypes")
	private Flux<List<ServiceInstance>> routable(Request request) {
		forgetOutdated();
		return this.delegate.get(request)
			.map((listed) -> this.corrected ? this.announced.withoutLeaving(listed)
					: this.announced.routable(getServiceId(), listed));
	}

	/**
	 * Not for a pinned request: a delegate that prefers the instance chosen last would
	 * send users after it.
	 */
	@Override
	public void selectedServiceInstance(ServiceInstance serviceInstance) {
		if (!(serviceInstance instanceof PinnedInstance)) {
			super.selectedServiceInstance(serviceInstance);
		}
	}

	@SuppressWarnings("rawtypes")
	private static @Nullable Object pin(Request request) {
		return (request.getContext() instanceof RequestDataContext context && context.getClientRequest() != null)
				? context.getClientRequest().getAttributes().get(Pin.ATTRIBUTE) : null;
	}

	/**
	 * Until a second after a change, since a list made during the change may be stored
	 * after it.
	 */
	private void forgetOutdated() {
		Instant changed = this.announced.changed();
		if (changed.equals(this.settled)) {
			return;
		}
		boolean last = this.announced.isSettled();
		LoadBalancerCacheManager manager = this.caches.getIfAvailable();
		Cache cache = (manager != null)
				? manager.getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME) : null;
		if (cache != null) {
			cache.evict(getServiceId());
		}
		if (last) {
			this.settled = changed;
		}
	}

	private static boolean isCorrected(ServiceInstanceListSupplier supplier) {
		if (supplier instanceof DelegatingServiceInstanceListSupplier delegating
				&& !(supplier instanceof PinnedInstanceSupplier)) {
			return isCorrected(delegating.getDelegate());
		}
		return supplier instanceof PinnedInstanceSupplier
				|| supplier instanceof DiscoveryClientServiceInstanceListSupplier;
	}

}
