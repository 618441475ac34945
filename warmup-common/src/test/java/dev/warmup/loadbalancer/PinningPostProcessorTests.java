package dev.warmup.loadbalancer;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.MutableClock;
import dev.warmup.loadbalancer.PinningPostProcessor.PinnedInstanceSupplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
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

class PinningPostProcessorTests {

	private static final ServiceInstance LISTED = instance("listed");

	private static final ServiceInstance CLAIMANT = instance("claimant");

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
				ObjectProvider<UserShares> shares) {
			return new PinningPostProcessor(announced, shares);
		}

		@Bean
		UserShares shares() {
			return new UserShares(new MutableClock(), Duration.ofMinutes(1), () -> 0.5);
		}

		@Bean
		AnnouncedInstances announced() {
			return new AnnouncedInstances(new MutableClock(), (instance) -> false, (service) -> {
			}, Schedulers.immediate());
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
