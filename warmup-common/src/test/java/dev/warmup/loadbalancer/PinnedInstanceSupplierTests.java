package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import dev.warmup.loadbalancer.PinningPostProcessor.PinnedInstanceSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.Cache;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

@Timeout(60)
class PinnedInstanceSupplierTests {

	private final MutableClock clock = new MutableClock();

	private final AnnouncedInstances announced = new AnnouncedInstances(this.clock, (instance) -> false);

	private final Cache cache = mock(Cache.class);

	private final PinnedInstanceSupplier supplier = supplier();

	/**
	 * A list that was requested before the change may be cached after the first eviction.
	 */
	@Test
	void cachedListIsEvictedUntilASecondAfterAChange() {
		choose();
		verify(this.cache, times(0)).evict("chat");
		this.announced.opened(new DefaultServiceInstance("a", "chat", "localhost", 8080, false));
		choose();
		this.clock.advance(Duration.ofMillis(999));
		choose();
		verify(this.cache, times(2)).evict("chat");
		this.clock.advance(Duration.ofMillis(1));
		choose();
		choose();
		verify(this.cache, times(3)).evict("chat");
		this.announced.leaving("a", Optional.empty());
		choose();
		verify(this.cache, times(4)).evict("chat");
	}

	@Test
	void cachedListIsEvictedByTheNextRequestHoweverLate() {
		this.announced.leaving("a", Optional.empty());
		this.clock.advance(Duration.ofMinutes(10));
		choose();
		choose();
		verify(this.cache, times(1)).evict("chat");
	}

	private void choose() {
		this.supplier.get(new DefaultRequest<>("a user's"));
	}

	@SuppressWarnings("unchecked")
	private PinnedInstanceSupplier supplier() {
		ServiceInstanceListSupplier delegate = mock(ServiceInstanceListSupplier.class);
		when(delegate.getServiceId()).thenReturn("chat");
		when(delegate.get(any())).thenReturn(Flux.just(List.of()));
		LoadBalancerCacheManager manager = mock(LoadBalancerCacheManager.class);
		when(manager.getCache(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME)).thenReturn(this.cache);
		ObjectProvider<LoadBalancerCacheManager> caches = mock(ObjectProvider.class);
		when(caches.getIfAvailable()).thenReturn(manager);
		return new PinnedInstanceSupplier(delegate, this.announced, caches);
	}

}
