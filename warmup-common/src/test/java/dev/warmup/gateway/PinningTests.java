package dev.warmup.gateway;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Registered;
import dev.warmup.service.UserActivity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/** Warm-up requests, genuine and forged, over real HTTP. */
class PinningTests {

	private static final FakeService cold = new FakeService("shop", "shop-1");

	private static final FakeService serving = new FakeService("shop", "shop-2");

	private static final FakeService other = new FakeService("bank", "bank-1");

	private static final TestGateway gateway = new TestGateway().source(Gateway.class)
		.route("shop", "lb://shop")
		.route("upper", "lb://SHOP")
		.route("gray", "grayLb://shop")
		.route("late", "lateLb://shop")
		.route("named", "http://shop.default.svc:1234")
		.route("fixed", "http://shop:1234")
		.route("kept", "http://shop:1234", "PreserveHostHeader")
		.route("bank", "lb://bank")
		.route("direct", "http://localhost:" + other.port())
		.route("local", "forward:/own")
		.route("retried", "lb://shop", "Retry=3")
		.route("posted", "lb://shop", "Retry=3,INTERNAL_SERVER_ERROR,POST")
		.route("adding", "lb://shop", "AddRequestHeader=X-Warmup,added");

	@BeforeAll
	static void start() {
		cold.warming(GatePosition.CLOSED);
		gateway.start();
		gateway.registry().list(serving.registered(Registered.Status.UP), other.registered(Registered.Status.UP));
		gateway.registry().register(cold.registered(Registered.Status.STARTING));
		// a first look may be too slow
		TestGateway.await(() -> gateway.news(cold.instance()).statusCode() == 204);
		TestGateway.await(() -> gateway.fleet().entries().size() == 3);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		cold.close();
		serving.close();
		other.close();
	}

	@BeforeEach
	@AfterEach
	void drain() {
		cold.drain();
		serving.drain();
		other.drain();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/shop/rooms", "/upper/rooms", "/gray/rooms", "/named/rooms" })
	void warmupGoesToItsInstanceAndNobodyElseAndIsProved(String path) {
		for (int i = 0; i < 4; i++) {
			HttpResponse<String> answer = warmup(path);
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.body()).isEqualTo("shop-1");
			assertThat(answer.headers().allValues(WarmupHeader.INSTANCE)).containsExactly("shop-1");
			assertThat(answer.headers().allValues(WarmupHeader.GATEWAY)).containsExactly(TestGateway.ID);
			assertThat(answer.headers().allValues(WarmupHeader.SERVICE)).containsExactly("shop");
			assertThat(answer.headers().firstValue(WarmupHeader.ADMISSION)).isEmpty();
		}
		assertThat(cold.drain()).hasSize(4).allSatisfy((request) -> {
			assertThat(request.warmupHeaders()).containsExactly(WarmupHeader.NAME);
			assertThat(request.uri()).isEqualTo("/rooms");
		});
		assertThat(serving.drain()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/named/rooms, shop.default.svc:1234", "/kept/rooms, localhost", "/shop/rooms, localhost" })
	void theHostIsThatOfTheRouteAsInUsersRequests(String path, String host) {
		assertThat(warmup(path).statusCode()).isEqualTo(200);
		assertThat(cold.drain()).singleElement()
			.satisfies((request) -> assertThat(request.header("Host")).startsWith(host));
	}

	@Test
	void oneLineSaysWhatARouteToAHostLacks() {
		try (CapturedLog log = CapturedLog.of(InstanceChoiceFilter.class)) {
			for (int i = 0; i < 3; i++) {
				assertThat(warmup("/fixed/rooms").statusCode()).isEqualTo(200);
				assertThat(warmup("/shop/rooms").statusCode()).isEqualTo(200);
			}
			assertThat(log.lines()).singleElement().asString().contains("route fixed").contains("need lb://");
		}
	}

	@Test
	void usersAreServedByOthersMeanwhileWithoutAnyHeaderOfTheLibrary() {
		HttpResponse<String> answer = gateway.get("/shop/rooms", "X-Warmup-Gateway", "forged", "X-Warmup-Instance",
				"forged", "X-Warmup-Service", "forged");
		assertThat(answer.body()).isEqualTo("shop-2");
		assertThat(answer.headers().map().keySet()).noneMatch((name) -> name.toLowerCase().startsWith("x-warmup"));
		assertThat(serving.drain()).singleElement()
			.satisfies((request) -> assertThat(request.warmupHeaders()).isEmpty());
	}

	@Test
	void aTokenThatTheInstanceDoesNotHaveIsRefusedAndReachesNobody() {
		long rejected = gateway.fleet().claims(false);
		String stranger = Token.Secret.generate().forGateway(TestGateway.ID).value();
		List<String> forged = List.of(claim("shop-1", stranger), claim("shop-1", cold.tokenHash()),
				claim("shop-2", cold.claim().substring(cold.claim().length() - 43)), claim("nobody", stranger));
		for (String claim : forged) {
			HttpResponse<String> answer = gateway.get("/shop/rooms", "X-Warmup", claim);
			assertThat(answer.statusCode()).isEqualTo(401);
			assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
		}
		assertThat(cold.drain()).isEmpty();
		assertThat(serving.drain()).isEmpty();
		assertThat(gateway.fleet().claims(false)).isEqualTo(rejected + forged.size());
	}

	@Test
	void aHeaderOfAnotherShapeIsAUsersAndGoesNowhere() {
		HttpResponse<String> twice = gateway.get("/shop/rooms", "X-Warmup", cold.claim(), "X-Warmup", cold.claim());
		HttpResponse<String> odd = gateway.get("/shop/rooms", "x-warmup", "true");
		assertThat(List.of(twice.body(), odd.body())).containsOnly("shop-2");
		assertThat(serving.drain()).hasSize(2).allSatisfy((request) -> assertThat(request.warmupHeaders()).isEmpty());
	}

	@Test
	void aFloodOfForgedTokensCausesALookASecondAtMost() {
		int before = cold.looks();
		long begin = System.nanoTime();
		String stranger = claim("shop-1", Token.Secret.generate().forGateway(TestGateway.ID).value());
		List<CompletableFuture<Integer>> answers = IntStream.range(0, 300)
			.mapToObj((i) -> CompletableFuture
				.supplyAsync(() -> gateway.get("/shop/rooms", "X-Warmup", stranger).statusCode()))
			.toList();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join()).isEqualTo(401));
		long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds() + 1;
		assertThat(cold.looks() - before).isLessThanOrEqualTo((int) (2 * seconds + 1)); // with
																						// its
																						// regular
																						// looks
	}

	@Test
	void onOtherRoutesWarmupCarriesNothingAndItsAnswerProvesNothing() {
		for (String path : List.of("/bank/rooms", "/direct/rooms")) {
			HttpResponse<String> answer = warmup(path);
			assertThat(answer.body()).isEqualTo("bank-1");
			assertThat(answer.headers().firstValue(WarmupHeader.INSTANCE)).isEmpty();
			assertThat(answer.headers().firstValue(WarmupHeader.SERVICE)).isPresent().get().isNotEqualTo("forged");
		}
		assertThat(other.drain()).hasSize(2).allSatisfy((request) -> assertThat(request.warmupHeaders()).isEmpty());
	}

	@Test
	void whatTheGatewayItselfAnswersNamesNoService() {
		for (String path : List.of("/local/x", "/own", "/nowhere")) {
			HttpResponse<String> answer = warmup(path);
			assertThat(answer.headers().allValues(WarmupHeader.GATEWAY)).containsExactly(TestGateway.ID);
			assertThat(answer.headers().firstValue(WarmupHeader.SERVICE)).isEmpty();
		}
	}

	@Test
	void aFilterThatSendsPinnedWarmupElsewhereGetsItNowhere() {
		assertThat(warmup("/late/rooms").statusCode()).isEqualTo(502);
		assertThat(gateway.get("/late/rooms").body()).isEqualTo("shop-2");
		assertThat(cold.drain()).isEmpty();
		assertThat(serving.drain()).hasSize(1);
	}

	@Test
	void onlyTheGatewayAddsTheHeader() {
		assertThat(gateway.get("/adding/rooms").body()).isEqualTo("shop-2");
		assertThat(serving.drain()).allSatisfy((request) -> assertThat(request.warmupHeaders()).isEmpty());
	}

	@Test
	void warmupIsMarkedAndIsNoUser() {
		UserActivity users = gateway.bean(UserActivity.class);
		gateway.get("/shop/rooms");
		Optional<Instant> last = users.last();
		gateway.bean(Marks.class).seen.clear();
		warmup("/shop/rooms");
		assertThat(users.last()).isEqualTo(last);
		assertThat(gateway.bean(Marks.class).seen).containsExactly(new WarmupContext("shop-1", "run-1"));
	}

	@Test
	void anotherLimitersAnswerIsNotTakenForTheAdmission() {
		HttpResponse<String> answer = warmup("/shop/busy");
		assertThat(answer.statusCode()).isEqualTo(429);
		assertThat(answer.headers().firstValue(WarmupHeader.ADMISSION)).isEmpty();
	}

	@Test
	void anInstanceWithARequestInFlightIsAskedToWait() {
		CompletableFuture<HttpResponse<String>> held = CompletableFuture.supplyAsync(() -> warmup("/shop/held"));
		TestGateway.await(() -> !cold.drain().isEmpty());
		HttpResponse<String> answer = warmup("/shop/rooms");
		assertThat(answer.statusCode()).isEqualTo(429);
		assertThat(answer.headers().firstValue(WarmupHeader.ADMISSION)).isPresent();
		assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
		assertThat(gateway.get("/shop/rooms").statusCode()).isEqualTo(200);
		cold.release();
		assertThat(held.join().statusCode()).isEqualTo(200);
		assertThat(warmup("/shop/rooms").statusCode()).isEqualTo(200);
	}

	@Test
	void warmupPassesByRetriesExceptTheFirstOfTheRoute() {
		assertThat(warmup("/retried/error").statusCode()).isEqualTo(500);
		assertThat(cold.drain()).hasSize(4);
		assertThat(warmup("/retried/error").statusCode()).isEqualTo(500);
		assertThat(cold.drain()).hasSize(1);
		assertThat(gateway.bean(RetryGatewayFilterFactory.class).name()).isEqualTo("Retry");
	}

	/** The other attempts would not be known to the run that has to clean up. */
	@Test
	void whatChangesSomethingPassesByRetriesEvenFirst() {
		assertThat(gateway.send("POST", "/posted/error", "X-Warmup", cold.claim()).statusCode()).isEqualTo(500);
		assertThat(cold.drain()).hasSize(1);
		assertThat(gateway.send("POST", "/posted/error").statusCode()).isEqualTo(500);
		assertThat(serving.drain()).hasSize(4);
	}

	private static HttpResponse<String> warmup(String path) {
		return gateway.get(path, "X-Warmup", cold.claim());
	}

	private static String claim(String instance, String token) {
		return "instance=" + instance + "; token=" + token;
	}

	/** With filters of its own that choose instances. */
	static class Gateway extends TestGateway.Application {

		@Bean
		GlobalFilter gray() {
			return new OwnChoice("grayLb", InstanceChoiceFilter.ORDER + 1, false);
		}

		@Bean
		GlobalFilter late() {
			return new OwnChoice("lateLb", InstanceChoiceFilter.ORDER + 2, true);
		}

		@Bean
		Marks marks() {
			return new Marks();
		}

		@Bean
		Own own() {
			return new Own();
		}

	}

	@RestController
	static class Own {

		@GetMapping("/own")
		String answer() {
			return "own";
		}

	}

	/** What marks a filter of the application sees. */
	static final class Marks implements GlobalFilter {

		private final Set<Object> seen = ConcurrentHashMap.newKeySet();

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			Object mark = exchange.getAttribute(WarmupContext.ATTRIBUTE);
			if (mark != null) {
				this.seen.add(mark);
			}
			return chain.filter(exchange);
		}

	}

	/**
	 * As teams write it, for a scheme of their own: always the serving instance.
	 *
	 * @param byRoute whether it goes by the route's URI, not by the request's
	 */
	record OwnChoice(String scheme, int getOrder, boolean byRoute) implements GlobalFilter, Ordered {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			URI url = this.byRoute ? Routing.route(exchange).orElseThrow().getUri()
					: exchange.<URI>getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
			if (this.scheme.equals(url.getScheme())) {
				exchange.getAttributes()
					.put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, URI
						.create("http://localhost:" + serving.port() + exchange.getRequest().getURI().getPath()));
				exchange.getAttributes()
					.put(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, new DefaultResponse(
							new DefaultServiceInstance("shop-2", "shop", "localhost", serving.port(), false)));
			}
			return chain.filter(exchange);
		}

		@Override
		public int getOrder() {
			return this.getOrder;
		}

	}

}
