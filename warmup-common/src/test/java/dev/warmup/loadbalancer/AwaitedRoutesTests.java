package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.warmup.RunningApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway that creates routes from discovery, before discovery lists an instance. */
@Timeout(180)
class AwaitedRoutesTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static Stub a;

	private static RunningApplication gateway;

	@BeforeAll
	static void start() {
		a = Stub.named("a");
		gateway = RunningApplication.gateway(LocatingGateway.class, "spring.application.name=gateway",
				"spring.cloud.gateway.server.webflux.discovery.locator.enabled=true",
				"spring.cloud.gateway.server.webflux.discovery.locator.lower-case-service-id=true",
				"spring.cloud.gateway.server.webflux.discovery.locator.include-expression=metadata['private'] == null");
	}

	@AfterAll
	static void stop() {
		gateway.close();
		a.close();
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
	void excludedServicesStayExcluded() {
		register(a.of("secret", "localhost", Map.of("private", "true")));
		assertThat(ids("secret")).isEmpty();
		assertThat(gateway.get("/secret/x").statusCode()).isEqualTo(404);
	}

	@Test
	void loadBalancerIsCreatedAheadOfTheFirstRequest() {
		assertThat(gateway.bean(LoadBalancerClientFactory.class).getContextNames()).doesNotContain("AHEAD");
		register(a.of("AHEAD"));
		assertThat(gateway.bean(LoadBalancerClientFactory.class).getContextNames()).contains("AHEAD");
	}

	private static void register(ServiceInstance instance) {
		StepVerifier.create(gateway.bean(RoutableInstances.class).registered(instance)).expectComplete().verify(LIMIT);
	}

	private static void refresh() {
		gateway.bean(Routes.class).events().publishEvent(new RefreshRoutesEvent("test"));
	}

	private static List<String> ids(String service) {
		return gateway.bean(Routes.class)
			.routes()
			.getRoutes()
			.filter((route) -> service.equalsIgnoreCase(route.getUri().getHost()))
			.map(Route::getId)
			.collectList()
			.block(LIMIT);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class LocatingGateway extends PinningGateway {

		@Bean
		Routes routes(RouteLocator routes, ApplicationEventPublisher events) {
			return new Routes(routes, events);
		}

	}

	record Routes(RouteLocator routes, ApplicationEventPublisher events) {

	}

}
