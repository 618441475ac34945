package dev.warmup.loadbalancer;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.MutableClock;
import dev.warmup.loadbalancer.PinningPostProcessor.PinnedInstanceSupplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.Cache;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.RetryAwareServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.LinkedMultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

class PinningPostProcessorTests {

	private static final ServiceInstance LISTED = instance("listed");

	private static final ServiceInstance CLAIMANT = instance("claimant");

	private final MutableClock clock = new MutableClock();

	private final AnnouncedInstances announced = new AnnouncedInstances(this.clock, (instance) -> false);

	private final UserShares shares = new UserShares(this.clock, Duration.ofMinutes(1), () -> 0.5);

	private final Cache cache = mock(Cache.class);

	private final PinnedInstanceSupplier supplier = supplier();

	@Test
	void everySupplierIsWrappedAndCalledBackOnceForUsers() {
		Watched watched;
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Suppliers.class)) {
			watched = (Watched) context.getBean("watched", PinnedInstanceSupplier.class).getDelegate();
			assertThat(context.getBeansOfType(ServiceInstanceListSupplier.class))
				.containsOnlyKeys("watched", "retrying")
				.allSatisfy((name, supplier) -> assertThat(supplier).isInstanceOf(PinnedInstanceSupplier.class));
			assertThat(context.getBean(ServiceInstanceListSupplier.class)).isSameAs(context.getBean("retrying"));
			assertThat(watched.calls).containsExactly("init");
			choose(context, request(Map.of()));
			assertThat(watched.calls).containsExactly("init", "selected listed");
			ServiceInstance chosen = choose(context, request(Map.of(PinningPostProcessor.ATTRIBUTE, CLAIMANT)));
			assertThat(chosen.getInstanceId()).isEqualTo("claimant");
			assertThat(chosen.getUri()).isEqualTo(CLAIMANT.getUri());
			assertThat(watched.calls).as("only of users").hasSize(2);
			assertThat(choose(context, new DefaultRequest<>("hint"))).isSameAs(LISTED);
			assertThat(choose(context, request(Map.of(PinningPostProcessor.ATTRIBUTE, "claimant")))).isSameAs(LISTED);
			watched.calls.clear();
		}
		assertThat(watched.calls).containsExactly("destroy");
	}

	/**
	 * A list that was requested before the change may be cached after the first eviction.
	 */
	@Test
	void cachedListIsEvictedUntilASecondAfterAChange() {
		this.supplier.get(new DefaultRequest<>("a user's"));
		verify(this.cache, times(0)).evict("chat");
		this.announced.opened(new DefaultServiceInstance("a", "chat", "localhost", 8080, false));
		this.supplier.get(new DefaultRequest<>("a user's"));
		this.clock.advance(Duration.ofMillis(99));
		this.supplier.get(new DefaultRequest<>("not each request evicts"));
		this.clock.advance(Duration.ofMillis(900));
		this.supplier.get(new DefaultRequest<>("a user's"));
		verify(this.cache, times(2)).evict("chat");
		this.clock.advance(Duration.ofMillis(100));
		this.supplier.get(new DefaultRequest<>("a user's"));
		this.supplier.get(new DefaultRequest<>("a user's"));
		verify(this.cache, times(3)).evict("chat");
		this.announced.leaving("a", Optional.empty());
		this.supplier.get(new DefaultRequest<>("a user's"));
		verify(this.cache, times(4)).evict("chat");
		this.announced.leaving("b", Optional.empty());
		this.clock.advance(Duration.ofMinutes(10));
		this.supplier.get(new DefaultRequest<>("a user's"));
		this.supplier.get(new DefaultRequest<>("a user's"));
		verify(this.cache, times(5)).evict("chat");
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
		return new PinnedInstanceSupplier(delegate, this.announced, this.shares, caches);
	}

	private static ServiceInstance choose(AnnotationConfigApplicationContext context, Request<?> request) {
		Response<ServiceInstance> response = new RoundRobinLoadBalancer(
				context.getBeanProvider(ServiceInstanceListSupplier.class), "chat")
			.choose(request)
			.block(Duration.ofSeconds(30));
		return response.getServer();
	}

	private static Request<?> request(Map<String, Object> attributes) {
		return new DefaultRequest<>(new RequestDataContext(new RequestData(HttpMethod.GET, URI.create("http://chat/"),
				new HttpHeaders(), new LinkedMultiValueMap<>(), attributes)));
	}

	private static ServiceInstance instance(String id) {
		return new DefaultServiceInstance(id, "chat", "localhost", 8080, false);
	}

	static class Suppliers {

		@Bean
		static PinningPostProcessor pinning(ObjectProvider<AnnouncedInstances> announced,
				ObjectProvider<UserShares> shares, ObjectProvider<LoadBalancerCacheManager> caches) {
			return new PinningPostProcessor(announced, shares, caches);
		}

		@Bean
		UserShares shares() {
			return new UserShares(new MutableClock(), Duration.ofMinutes(1), () -> 0.5);
		}

		@Bean
		AnnouncedInstances announced() {
			return new AnnouncedInstances(new MutableClock(), (instance) -> false);
		}

		@Bean
		ServiceInstanceListSupplier watched() {
			return new Watched();
		}

		@Bean
		@Primary
		ServiceInstanceListSupplier retrying(ServiceInstanceListSupplier watched) {
			return new RetryAwareServiceInstanceListSupplier(watched) {

				@Override
				public void afterPropertiesSet() {
					// Spring's own passes this on, and the delegate had it already
				}

				@Override
				public void destroy() {
					// likewise
				}

			};
		}

	}

	private static final class Watched extends DelegatingServiceInstanceListSupplier {

		private final List<String> calls = new ArrayList<>();

		private Watched() {
			super(new Fixed());
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return this.delegate.get();
		}

		@Override
		public void selectedServiceInstance(ServiceInstance serviceInstance) {
			this.calls.add("selected " + serviceInstance.getInstanceId());
		}

		@Override
		public void afterPropertiesSet() {
			this.calls.add("init");
		}

		@Override
		public void destroy() {
			this.calls.add("destroy");
		}

	}

	private record Fixed() implements ServiceInstanceListSupplier {

		@Override
		public String getServiceId() {
			return "chat";
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return Flux.just(List.of(LISTED));
		}

	}

}
