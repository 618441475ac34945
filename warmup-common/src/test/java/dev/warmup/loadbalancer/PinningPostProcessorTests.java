package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

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
import org.springframework.cloud.client.loadbalancer.Request;
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

	/** An application's own supplier, a bean like the one that it calls. */
	@Test
	void usersAreSharedOutOnceWhereASupplierCallsAnother() {
		ServiceInstance joining = Instances.of("joining");
		// once within its share, and then not
		Iterator<Double> random = List.of(0.04, 0.9).iterator();
		UserShares shares = new UserShares(new MutableClock(), Duration.ofMinutes(1), random::next);
		shares.begin(joining);
		ServiceInstanceListSupplier base = pinned(new Own((request) -> Flux.just(List.of(LISTED, joining))), shares);
		assertThat(pinned(new Own(base::get), shares).get(new DefaultRequest<>("hint")).blockFirst())
			.containsExactly(LISTED, joining);
	}

	private static ServiceInstanceListSupplier pinned(ServiceInstanceListSupplier delegate, UserShares shares) {
		return new PinnedInstanceSupplier(delegate,
				new AnnouncedInstances(new MutableClock(), (instance) -> false, (service) -> {
				}, Schedulers.immediate()), shares);
	}

	@SuppressWarnings("rawtypes")
	private record Own(
			Function<Request, Flux<List<ServiceInstance>>> instances) implements ServiceInstanceListSupplier {

		@Override
		public String getServiceId() {
			return "chat";
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return Flux.error(new AssertionError("without a request"));
		}

		@Override
		public Flux<List<ServiceInstance>> get(Request request) {
			return this.instances.apply(request);
		}

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
