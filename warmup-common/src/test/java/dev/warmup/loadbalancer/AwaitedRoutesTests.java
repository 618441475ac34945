package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import dev.warmup.loadbalancer.PinningGateway.Registry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway that creates routes from discovery, before discovery lists an instance, and
 * whose load balancers cache lists for long.
 */
class AwaitedRoutesTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static Stub a;

	private static Stub b;

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		a = Stub.named("a");
		b = Stub.named("b");
		gateway = new GatewayFixture().with("spring.cloud.gateway.server.webflux.discovery.locator.enabled=true",
				"spring.cloud.gateway.server.webflux.discovery.locator.lower-case-service-id=true",
				"spring.cloud.gateway.server.webflux.discovery.locator.include-expression=metadata['private'] == null",
				"spring.cloud.loadbalancer.cache.enabled=true", "spring.cloud.loadbalancer.cache.ttl=1h")
			.route("cached", "lb://cached", "/cached/**", "StripPrefix=1")
			.route("explicit", "lb://both", "/explicit/**", "StripPrefix=1")
			.start(PinningGateway.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		a.close();
		b.close();
	}

	@Test
	void serviceIsRoutedForWarmupFromTheFirstClaimantAndForUsersFromTheFirstInstanceThatOpened() {
		ServiceInstance instance = a.of("FRESH");
		gateway.bean(PinningGateway.Pins.class).instances().put("fresh", instance);
		assertThat(gateway.get("/fresh/x", "Pin", "fresh").statusCode()).isEqualTo(404);
		register(instance);
		assertThat(gateway.get("/fresh/x", "Pin", "fresh").body()).isEqualTo("a");
		assertThat(gateway.get("/fresh/x").statusCode()).isEqualTo(503);
		gateway.bean(RoutableInstances.class).opened(instance);
		assertThat(gateway.get("/fresh/x").body()).isEqualTo("a");
	}

	@Test
	void routesThatWereConfiguredDoNotDelayThatFromDiscovery() {
		ServiceInstance instance = a.of("both");
		gateway.bean(PinningGateway.Pins.class).instances().put("both", instance);
		register(instance);
		assertThat(gateway.get("/explicit/x", "Pin", "both").body()).isEqualTo("a");
		assertThat(gateway.get("/both/x", "Pin", "both").body()).isEqualTo("a");
	}

	@Test
	void concurrentClaimantsAllFindTheRoute() {
		List<ServiceInstance> group = IntStream.range(0, 16).mapToObj((i) -> a.of("group")).toList();
		StepVerifier
			.create(Flux.fromIterable(group)
				.flatMap((each) -> gateway.bean(RoutableInstances.class)
					.registered(each)
					.then(Mono.fromSupplier(() -> ids("group").size()).subscribeOn(Schedulers.boundedElastic())))
				.collectList())
			.assertNext((routes) -> assertThat(routes).hasSize(16).containsOnly(1))
			.expectComplete()
			.verify(LIMIT);
	}

	@Test
	void registryTakesTheRouteOverUnderTheSameName() {
		register(a.of("taken"));
		assertThat(ids("taken")).containsExactly("ReactiveCompositeDiscoveryClient_taken");
		gateway.bean(Registry.class).list("taken", a.of("taken"));
		refresh();
		register(a.of("other"));
		assertThat(ids("taken")).containsExactly("ReactiveCompositeDiscoveryClient_taken");
		assertThat(gateway.get("/taken/x").body()).isEqualTo("a");
		gateway.bean(Registry.class).list("taken");
		refresh();
		assertThat(ids("taken")).containsExactly("ReactiveCompositeDiscoveryClient_taken");
	}

	@Test
	void loadBalancerIsCreatedAheadAndExcludedServicesStayExcluded() {
		LoadBalancerClientFactory balancers = gateway.bean(LoadBalancerClientFactory.class);
		assertThat(balancers.getContextNames()).doesNotContain("AHEAD");
		register(a.of("AHEAD"));
		assertThat(balancers.getContextNames()).contains("AHEAD");
		register(a.of("secret", "localhost", Map.of("private", "true")));
		assertThat(ids("secret")).isEmpty();
		assertThat(gateway.get("/secret/x").statusCode()).isEqualTo(404);
	}

	@Test
	void cachedListIsEvictedByAnAnnouncement() {
		Registry registry = gateway.bean(Registry.class);
		RoutableInstances routable = gateway.bean(RoutableInstances.class);
		registry.list("cached", a.of("cached"));
		assertThat(users("cached")).containsExactly("a");
		registry.list("cached", a.of("cached"), b.of("cached"));
		assertThat(users("cached")).as("the list is cached").containsExactly("a");
		routable.opened(b.of("another"));
		assertThat(users("cached")).as("those of other services stay cached").containsExactly("a");

		registry.list("cached", a.of("cached"));
		routable.opened(b.of("CACHED"));
		assertThat(users("cached")).containsExactly("a", "b");
		routable.deregistered("a", Optional.empty());
		assertThat(users("cached")).containsExactly("b");
	}

	@Test
	void announcementRightBeforeTheEndIsRepeatedInSilence() {
		AtomicInteger repeated = new AtomicInteger();
		try (RunningApplication ending = new GatewayFixture().with("spring.cloud.loadbalancer.cache.enabled=true")
			.start(PinningGateway.class)) {
			Thread announcing = Thread.currentThread();
			Schedulers.onScheduleHook("repetitions", (task) -> (Thread.currentThread() != announcing) ? task : () -> {
				task.run();
				repeated.incrementAndGet();
			});
			ending.bean(RoutableInstances.class).opened(a.of("ending"));
			Schedulers.resetOnScheduleHook("repetitions");
		}
		RunningApplication.await(() -> repeated.get() == 10);
	}

	private static Set<String> users(String service) {
		Set<String> answered = new TreeSet<>();
		for (int i = 0; i < 20; i++) {
			answered.add(gateway.get("/" + service + "/x").body());
		}
		return answered;
	}

	private static void register(ServiceInstance instance) {
		StepVerifier.create(gateway.bean(RoutableInstances.class).registered(instance)).expectComplete().verify(LIMIT);
	}

	private static void refresh() {
		gateway.publish(new RefreshRoutesEvent("test"));
	}

	private static List<String> ids(String service) {
		return gateway.bean(RouteLocator.class)
			.getRoutes()
			.filter((route) -> service.equalsIgnoreCase(route.getUri().getHost()))
			.map(Route::getId)
			.collectList()
			.block(LIMIT);
	}

}
