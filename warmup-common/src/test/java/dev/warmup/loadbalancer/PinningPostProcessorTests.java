package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.Instances;
import dev.warmup.MutableClock;
import dev.warmup.loadbalancer.PinningPostProcessor.PinnedInstanceSupplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class PinningPostProcessorTests {

	private static final ServiceInstance LISTED = Instances.of("listed");

	private final List<String> calls = new ArrayList<>();

	@Test
	void supplierIsCalledBackOnceAndAnswersRequestsWithoutAContext() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean(AnnouncedInstances.class,
					() -> new AnnouncedInstances(new MutableClock(), (instance) -> false, (service) -> {
					}, Schedulers.immediate()));
			context.registerBean(UserShares.class,
					() -> new UserShares(new MutableClock(), Duration.ofMinutes(1), () -> 0.5));
			context.registerBean(PinningPostProcessor.class,
					() -> new PinningPostProcessor(context.getBeanProvider(AnnouncedInstances.class),
							context.getBeanProvider(UserShares.class)));
			context.registerBean(ServiceInstanceListSupplier.class, () -> new Watched(this.calls));
			context.refresh();
			ServiceInstanceListSupplier supplier = context.getBean(PinnedInstanceSupplier.class);
			assertThat(supplier.get(new DefaultRequest<>("hint")).blockFirst()).containsExactly(LISTED);
			assertThat(this.calls).containsExactly("init");
		}
		assertThat(this.calls).containsExactly("init", "destroy");
	}

	private record Watched(
			List<String> calls) implements ServiceInstanceListSupplier, InitializingBean, DisposableBean {

		@Override
		public String getServiceId() {
			return "chat";
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return Flux.just(List.of(LISTED));
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

}
