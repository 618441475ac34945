package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Instances;
import dev.warmup.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.discovery.DiscoveryLocatorProperties;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class RoutableInstancesTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final MutableClock clock = new MutableClock();

	private final AtomicInteger refreshes = new AtomicInteger();

	private final AnnouncedInstances announced = new AnnouncedInstances(this.clock, (instance) -> false, (service) -> {
	}, VirtualTimeScheduler.create());

	private final ReactiveDiscoveryClient registry = mock(ReactiveDiscoveryClient.class, (call) -> Flux.empty());

	private final DiscoveryLocatorProperties locator = new DiscoveryLocatorProperties();

	private final RoutableInstances routable = new RoutableInstances(this.announced,
			new UserShares(this.clock, Duration.ofMinutes(1), () -> 0.5),
			Optional.of(new AwaitedRoutes(this.clock, this.registry, this.locator)),
			(event) -> this.refreshes.incrementAndGet(),
			new StaticListableBeanFactory(Map.of("routes", (RouteLocator) Flux::empty))
				.getBeanProvider(RouteLocator.class),
			new StaticListableBeanFactory().getBeanProvider(LoadBalancerClientFactory.class));

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void serviceWithoutARouteIsWaitedForOnce(boolean included) {
		this.locator.setIncludeExpression(String.valueOf(included));
		ServiceInstance excluded = Instances.of("a");
		StepVerifier.withVirtualTime(() -> this.routable.registered(excluded))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(900))
			.thenAwait(Duration.ofMillis(200))
			.expectComplete()
			.verify(LIMIT);
		StepVerifier.withVirtualTime(() -> this.routable.registered(excluded)).expectComplete().verify(LIMIT);
		assertThat(this.refreshes).hasValue(1);
	}

	@Test
	void registryThatHangsDelaysAClaimantForASecond() {
		when(this.registry.getInstances("chat")).thenReturn(Flux.never());
		StepVerifier.withVirtualTime(() -> this.routable.registered(Instances.keyed("a", "key")))
			.thenAwait(Duration.ofSeconds(1))
			.expectComplete()
			.verify(LIMIT);
	}

	@Test
	void instanceThatRegistersAfterARestartGetsNoUsers() {
		this.routable.opened(Instances.keyed("a", "old"));
		register("old");
		assertThat(this.announced.routable("chat", List.of())).hasSize(1);
		register("new");
		assertThat(this.announced.routable("chat", List.of())).isEmpty();
	}

	private void register(String key) {
		StepVerifier.withVirtualTime(() -> this.routable.registered(Instances.keyed("a", key)))
			.thenAwait(Duration.ofSeconds(2))
			.expectComplete()
			.verify(LIMIT);
	}

}
