package dev.warmup.discovery;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayLocatorTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final DiscoveryClient discovery = Mockito.mock(DiscoveryClient.class);

	private final InstanceLookup lookup = Mockito.mock(InstanceLookup.class);

	private final GatewayLocator locator = new DiscoveryGatewayLocator(this.discovery, this.lookup, "gateway", "east",
			Schedulers.boundedElastic());

	@Test
	void everyGatewayInDiscoveryIsFoundByItsIdOrAddressBelowItsBasePath() {
		Mockito.when(this.discovery.getInstances("gateway"))
			.thenReturn(List.of(instance("gw-1", "10.0.0.1", 8000, false), instance("gw-2", "10.0.0.2", 8443, true),
					instance(null, "10.0.0.3", 8000, false), instance(null, "2001:db8::1", 8443, true),
					new DefaultServiceInstance("gw-5", "gateway", "10.0.0.5", 8000, false,
							Map.of(InstanceAddress.BASE_PATH_KEY, "/api")),
					new DefaultServiceInstance("gw-6", "gateway", "10.0.0.6", 8000, false,
							Map.of(InstanceAddress.BASE_PATH_KEY, "a pi")),
					instance("gw-7", "no_host_name", 8000, false)));
		StepVerifier.create(this.locator.locate())
			.assertNext((found) -> assertThat(found).containsExactlyInAnyOrder(
					new Gateway("gw-1", URI.create("http://10.0.0.1:8000")),
					new Gateway("gw-2", URI.create("https://10.0.0.2:8443")),
					new Gateway("http://10.0.0.3:8000", URI.create("http://10.0.0.3:8000")),
					new Gateway("https://[2001:db8::1]:8443", URI.create("https://[2001:db8::1]:8443")),
					new Gateway("gw-5", URI.create("http://10.0.0.5:8000/api")),
					new Gateway("gw-6", URI.create("http://10.0.0.6:8000/a%20pi")),
					new Gateway("gw-7", URI.create("http://no_host_name:8000"))))
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void gatewaysOfTheOwnZoneComeFirstHoweverItIsSpelled() {
		register((i) -> (i < 7) ? "west" : (i < 9) ? "east" : "East");
		StepVerifier.create(this.locator.locate()).assertNext((found) -> {
			assertThat(found).hasSize(10);
			assertThat(found.subList(0, 3)).extracting(Gateway::id).containsExactlyInAnyOrder("gw-7", "gw-8", "gw-9");
		}).expectComplete().verify(TIMEOUT);
	}

	@ParameterizedTest
	@CsvSource({ "east, west, 7, 8, 9", ", west, 0, 1, 2" })
	void theOwnZoneIsThatInEurekaOrElseThatOfTheLoadBalancer(@Nullable String eurekas, String balancers, int first,
			int second, int third) {
		register((i) -> (i < 3) ? "west" : (i < 7) ? "north" : "east");
		MockEnvironment environment = new MockEnvironment().withProperty("spring.cloud.loadbalancer.zone", balancers);
		if (eurekas != null) {
			environment.setProperty("eureka.instance.metadata-map.zone", eurekas);
		}
		StepVerifier.create(new DiscoveryConfiguration.ClientConfiguration()
			.warmupDiscoveryGatewayLocator(this.discovery, this.lookup,
					new DiscoverySettings("gateway", Optional.empty(), false), environment, Schedulers.boundedElastic())
			.locate())
			.assertNext((found) -> assertThat(found.subList(0, 3)).extracting(Gateway::id)
				.containsExactlyInAnyOrder("gw-" + first, "gw-" + second, "gw-" + third))
			.expectComplete()
			.verify(TIMEOUT);
	}

	private void register(IntFunction<String> zone) {
		List<ServiceInstance> instances = IntStream.range(0, 10)
			.<ServiceInstance>mapToObj((i) -> new DefaultServiceInstance("gw-" + i, "gateway", "10.0.0." + i, 8000,
					false, Map.of("zone", zone.apply(i))))
			.toList();
		Mockito.when(this.discovery.getInstances("gateway")).thenReturn(instances);
	}

	@Test
	void gatewayThatCameAfterTheLocalCopyWasReadIsFound() {
		Mockito.when(this.discovery.getInstances("gateway")).thenReturn(List.of());
		Mockito.when(this.lookup.recent("gateway"))
			.thenReturn(Mono.just(List.of(instance("gw-1", "10.0.0.1", 8000, false))));
		expect(this.locator, new Gateway("gw-1", URI.create("http://10.0.0.1:8000")));
		register((i) -> "east");
		StepVerifier.create(this.locator.locate())
			.assertNext((found) -> assertThat(found).hasSize(10))
			.expectComplete()
			.verify(TIMEOUT);
		Mockito.verify(this.lookup).recent("gateway");
	}

	@Test
	void discoveryIsQueriedEachTimeWhereBlockingIsAllowed() {
		Mockito.when(this.lookup.recent("gateway")).thenReturn(Mono.just(List.of()));
		Mockito.when(this.discovery.getInstances("gateway")).thenAnswer((invocation) -> {
			assertThat(Schedulers.isInNonBlockingThread()).isFalse();
			return List.of();
		});
		StepVerifier.create(this.locator.locate().subscribeOn(Schedulers.parallel()).repeat(1))
			.expectNext(List.of(), List.of())
			.expectComplete()
			.verify(TIMEOUT);
		Mockito.verify(this.discovery, Mockito.times(2)).getInstances("gateway");
	}

	@Test
	void aFixedGatewayIsAlwaysThereAndNoneNever() {
		URI uri = URI.create("http://gateway:8000/base");
		expect(withoutDiscovery(Optional.of(uri)), new Gateway("http://gateway:8000/base", uri));
		GatewayLocator none = withoutDiscovery(Optional.empty());
		expect(none);
		assertThat(none.isAvailable()).isFalse();
	}

	private static GatewayLocator withoutDiscovery(Optional<URI> url) {
		return new DiscoveryConfiguration().warmupFixedGatewayLocator(new DiscoverySettings("gateway", url, false));
	}

	@ParameterizedTest
	@CsvSource({ "2001:db8::1, [2001:db8::1]", "[2001:db8::1], [2001:db8::1]", "10.0.0.1, 10.0.0.1",
			"localhost, localhost", "chat_service, chat_service" })
	void onlyAnIpv6AddressGetsBrackets(String host, String bracketed) {
		ServiceInstance instance = instance("a", host, 8443, true);
		assertThat(InstanceAddress.uri(instance)).isEqualTo(URI.create("https://" + bracketed + ":8443"));
		assertThat(InstanceAddress.bracketed(instance)).isEqualTo(instance("a", bracketed, 8443, true));
	}

	private static ServiceInstance instance(@Nullable String id, String host, int port, boolean secure) {
		return new DefaultServiceInstance(id, "gateway", host, port, secure);
	}

	private static void expect(GatewayLocator locator, Gateway... gateways) {
		StepVerifier.create(locator.locate()).expectNext(List.of(gateways)).expectComplete().verify(TIMEOUT);
	}

}
