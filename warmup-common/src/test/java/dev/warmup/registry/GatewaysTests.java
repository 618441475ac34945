package dev.warmup.registry;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.warmup.Gateway;
import dev.warmup.protocol.Instance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class GatewaysTests {

	private final EurekaRegistry registry = mock(EurekaRegistry.class);

	private final Gateways locator = Gateways.inEureka(this.registry, Optional.empty(), "east");

	@BeforeEach
	void nothingIsRegistered() {
		given(this.registry.instances()).willReturn(List.of());
		given(this.registry.recent()).willReturn(Mono.just(List.of()));
	}

	@Test
	void everyGatewayWithTheLibraryIsFoundWhateverItsNameBelowItsBasePath() {
		given(this.registry.instances()).willReturn(List.of(registered("edge", "gw-1", "10.0.0.1", "gateway"),
				registered("gateway-service", "gw-2", "2001:db8::1", "gateway /a pi"),
				registered("shop", "shop-1", "10.0.0.3", "service /gateway"),
				registered("gateway", "without-library", "10.0.0.4", ""), new Registered(new Instance("edge", "gw-3"),
						instance("10.0.0.5", Map.of("warmup", "gateway")), Registered.Status.REFUSED)));
		assertThat(locate(this.locator)).containsExactlyInAnyOrder(
				new Gateway("gw-1", URI.create("http://10.0.0.1:8000")),
				new Gateway("gw-2", URI.create("http://[2001:db8::1]:8000/a%20pi")));
		assertThat(locate(Gateways.inEureka(this.registry, Optional.of("Edge"), ""))).extracting(Gateway::id)
			.containsExactly("gw-1");
	}

	@Test
	void gatewaysOfTheOwnZoneComeFirstHoweverItIsSpelled() {
		given(this.registry.instances()).willReturn(gateways((i) -> (i < 7) ? "west" : (i < 9) ? "east" : "East"));
		List<Gateway> found = locate(this.locator);
		assertThat(found).hasSize(10);
		assertThat(found.subList(0, 3)).extracting(Gateway::id).containsExactlyInAnyOrder("gw-7", "gw-8", "gw-9");
	}

	@Test
	void gatewayThatCameAfterTheOwnCopyWasReadIsFound() {
		given(this.registry.instances()).willReturn(List.of(registered("shop", "shop-1", "10.0.0.3", "service")));
		given(this.registry.recent())
			.willReturn(Mono.just(List.of(registered("edge", "gw-new", "10.0.0.1", "gateway"))));
		assertThat(locate(this.locator)).extracting(Gateway::id).containsExactly("gw-new");
		given(this.registry.instances()).willReturn(gateways((i) -> "east"));
		assertThat(locate(this.locator)).hasSize(10);
	}

	@Test
	void aFixedGatewayIsAlwaysThereAndNoneNever() {
		URI uri = URI.create("http://gateway:8000/base");
		assertThat(Gateways.at(uri).isAvailable()).isTrue();
		assertThat(locate(Gateways.at(uri))).containsExactly(new Gateway(uri.toString(), uri));
		assertThat(Gateways.none("why").isAvailable()).isFalse();
		assertThat(Gateways.none("why").description()).isEqualTo("why");
	}

	@Test
	void everyAddressOfANameIsAGatewayWithItsBasePath() {
		URI uri = URI.create("http://localhost:8000/base");
		assertThat(Gateways.resolved(uri).isAvailable()).isTrue();
		assertThat(locate(Gateways.resolved(uri)))
			.containsExactly(new Gateway("127.0.0.1:8000", URI.create("http://127.0.0.1:8000/base")));
		assertThat(locate(Gateways.resolved(URI.create("http://[::1]"))))
			.containsExactly(new Gateway("[::1]:80", URI.create("http://[::1]:80")));
		assertThatException().isThrownBy(() -> locate(Gateways.resolved(URI.create("http://no.such.invalid"))));
	}

	@ParameterizedTest
	@CsvSource({ "2001:db8::1, [2001:db8::1]", "[2001:db8::1], [2001:db8::1]", "10.0.0.1, 10.0.0.1",
			"chat_service, chat_service" })
	void onlyAnIpv6AddressGetsBrackets(String host, String bracketed) {
		assertThat(registered("a", "a-1", host, "service").base())
			.isEqualTo(URI.create("http://" + bracketed + ":8000"));
	}

	@ParameterizedTest
	@CsvSource({ "true, '', gateway", "false, '', service", "false, /shop, service /shop" })
	void whatAnApplicationRegistersIsReadAgain(boolean gateway, String path, String metadata) {
		assertThat(Registered.metadata(gateway, path)).isEqualTo(metadata);
		Registered registered = registered("a", "a-1", "host", metadata);
		assertThat(registered.isGateway()).isEqualTo(gateway);
		assertThat(registered.base()).isEqualTo(URI.create("http://host:8000" + path));
	}

	private static List<Registered> gateways(IntFunction<String> zone) {
		return IntStream.range(0, 10)
			.mapToObj((i) -> new Registered(new Instance("gateway", "gw-" + i),
					instance("10.0.0." + i, Map.of("zone", zone.apply(i), "warmup", "gateway")), Registered.Status.UP))
			.toList();
	}

	private static Registered registered(String service, String id, String host, String metadata) {
		return new Registered(new Instance(service, id),
				instance(host, metadata.isEmpty() ? Map.of() : Map.of(Registered.METADATA_KEY, metadata)),
				Registered.Status.UP);
	}

	private static DefaultServiceInstance instance(String host, Map<String, String> metadata) {
		return new DefaultServiceInstance("id", "service", host, 8000, false, metadata);
	}

	private static List<Gateway> locate(Gateways locator) {
		return locator.locate().blockOptional(Duration.ofSeconds(30)).orElseThrow();
	}

}
