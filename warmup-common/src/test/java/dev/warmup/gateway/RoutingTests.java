package dev.warmup.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.warmup.Claims;
import dev.warmup.Exchanges;
import dev.warmup.Instances;
import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.loadbalancer.PinningPostProcessor;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Genuine and forged claims on a real gateway, by route, and how many of them it admits.
 */
@ExtendWith(OutputCaptureExtension.class)
class RoutingTests {

	private static final String CLAIM = Claims.replay("chat-1", "run-1");

	/** One claimant gets all permits but one. */
	private static final String SLOW = Claims.replay("slow-1", "run-1");

	private static final StubService SERVICE = new StubService();

	/** The attributes of the last request, after the library's filter. */
	private static final AtomicReference<Seen> SEEN = new AtomicReference<>();

	/** What the gateway's own handlers and filters received. */
	private static final Queue<HttpHeaders> VISIBLE = new ConcurrentLinkedQueue<>();

	private static RunningApplication gateway;

	private static Admission admission;

	@BeforeAll
	static void start() {
		gateway = new GatewayFixture().with("warmup.admission.max-concurrent=3")
			.instances("chat", SERVICE.address(), "chat-1")
			.instances("bots", SERVICE.address(), "bots-1", "leaving")
			.route("chat-route", "lb://chat", "/chat/**")
			.route("bots-route", "lb://bots", "/bots/**")
			.route("direct-route", SERVICE.address(), "/direct/**")
			.route("targeted-route", "lb://chat", "/targeted", "RequestHeaderToRequestUri=X-Target")
			.route("forward-route", "forward:/own", "/forwarded")
			.route("again-route", "forward:/chat/rooms", "/again")
			.route("another-route", "forward:/bots/all", "/again/bots")
			.route("slow-again-route", "forward:/slow/fast", "/again/slow")
			.service("slow", SERVICE.address())
			.start(Gateway.class);
		admission = gateway.bean(Admission.class);
	}

	@AfterEach
	void releaseAll() {
		SERVICE.release();
		awaitInFlight(0);
		SERVICE.drain();
	}

	@AfterAll
	static void stop() {
		gateway.close();
		SERVICE.close();
	}

	/** Also where the application changes the exchange. */
	@ParameterizedTest
	@CsvSource({ "X-Warmup, X-Kept", "x-wARMUP, X-Kept", "X-Warmup, X-Mutate" })
	void claimIsPinnedToTheClaimantOnARouteToItsService(String header, String another) {
		gateway.get("/chat/rooms", header, CLAIM, another, "yes");
		assertThat(SEEN.get().pin()).map(ServiceInstance::getInstanceId).hasValue("chat-1");
		assertThat(SEEN.get().marked()).isTrue();
		assertThat(forwarded()).containsExactly(CLAIM);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/chat/rooms", "/bots/all" })
	void onlyWarmupIsAnsweredWithTheFiguresOfTheGatewaysJvm(String path) {
		assertThat(get(path, CLAIM).headers().firstValue("X-Warmup-Jvm").flatMap(JvmSnapshot::parse))
			.map(JvmSnapshot::jvm)
			.hasValue(gateway.bean(Instance.Source.class).get().instanceId());
		assertThat(get(path).headers().firstValue("X-Warmup-Jvm")).isEmpty();
	}

	@Test
	void anotherServiceGetsAMarkOfTheGateway() {
		HttpResponse<String> answer = get("/bots/all", CLAIM);
		assertThat(SEEN.get().pin()).isEmpty();
		assertThat(SEEN.get().marked()).isTrue();
		assertThat(forwarded()).singleElement().satisfies((header) -> {
			WarmupClaim mark = WarmupClaim.parse(header).orElseThrow();
			assertThat(mark.jwt().filter(gateway.bean(WarmupKey.class)::verifies)).isPresent();
			assertThat(mark.read(SignedClaim.Scope.MARK, new Instance("bots", "bots-7"), Instant.now()))
				.hasValueSatisfying(
						(content) -> assertThat(content.toContext()).isEqualTo(new WarmupContext("chat-1", "run-1")));
		});
		assertThat(answer.headers().allValues("X-Warmup-Service")).containsExactly("bots");
	}

	@ParameterizedTest
	@CsvSource({ "lb://bots, true, false, 200, bots", "lb://bots, false, false, 200,", "lb://bots, true, true, 200,",
			"lb://bots, false, false, 503, bots", "http://partner, false, false, 200, direct",
			"http://partner, false, true, 200," })
	void serviceIsNotNamedWhereTheGatewayAnsweredInItsPlace(String route, boolean chosen, boolean fallback, int status,
			@Nullable String named) {
		MockServerWebExchange exchange = Exchanges.get("/bots");
		route(exchange, route, Optional.of(Instances.of("chat-1")));
		if (chosen) {
			Exchanges.chosen(exchange, Instances.of("bots", "bots-1"));
		}
		if (fallback) {
			exchange.getAttributes()
				.put(ServerWebExchangeUtils.CIRCUITBREAKER_EXECUTION_EXCEPTION_ATTR, new IllegalStateException("open"));
		}
		exchange.getResponse().setStatusCode(HttpStatus.valueOf(status));
		exchange.getResponse().setComplete().block(Duration.ofSeconds(30));
		assertThat(exchange.getResponse().getHeaders().getFirst("X-Warmup-Service")).isEqualTo(named);
	}

	@Test
	void claimIsAddedBehindAllOtherFiltersOfHeaders() {
		List<HttpHeadersFilter> filters = gateway.bean(NettyRoutingFilter.class).getHeadersFilters();
		assertThat(filters).as("one that logs headers, without an order")
			.hasAtLeastOneElementOfType(ObservedRequestHttpHeadersFilter.class);
		assertThat(filters).last().isInstanceOf(Routing.ClaimHeader.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/chat/rooms", "/bots/all" })
	void noClaimIsSentToATargetThatAFilterPutInPlaceOfTheRoutes(String path) {
		HttpResponse<String> answer = gateway.get(path, "X-Warmup", CLAIM, "X-Replace", SERVICE.address() + "/else");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(SERVICE.drain()).singleElement().satisfies((request) -> {
			assertThat(request.uri()).isEqualTo("/else");
			assertThat(request.claims()).isEmpty();
		});
	}

	@Test
	void claimCountsAlsoWhereARouteForwardsToAnotherRoute() {
		HttpResponse<String> answer = get("/again", CLAIM);
		assertThat(SEEN.get().pin()).map(ServiceInstance::getInstanceId).hasValue("chat-1");
		assertThat(forwarded()).containsExactly(CLAIM);
		assertThat(answer.headers().allValues("X-Warmup-Service")).containsExactly("set-by-the-service");

		answer = get("/again/bots", CLAIM);
		assertThat(SEEN.get().pin()).isEmpty();
		assertThat(forwarded()).singleElement().isNotEqualTo(CLAIM);
		assertThat(answer.headers().allValues("X-Warmup-Service")).containsExactly("bots");

		get("/again", Claims.replay("unknown", "run-1"));
		assertThat(SEEN.get().pin()).isEmpty();
		assertThat(forwarded()).isEmpty();
	}

	@Test
	void requestsToAnotherServiceAreNotMeasured() {
		get("/bots/all", Claims.replay("chat-1", "run-of-bots"));
		get("/chat/rooms", Claims.replay("chat-1", "run-of-bots"));
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::service)
			.contains("chat")
			.doesNotContain("bots");
	}

	@Test
	void nothingLeavesOnADirectRoute() {
		HttpResponse<String> answer = get("/direct", CLAIM);
		assertThat(SEEN.get().pin()).isEmpty();
		assertThat(SEEN.get().marked()).isTrue();
		assertThat(forwarded()).isEmpty();
		assertThat(answer.headers().allValues("X-Warmup-Service")).containsExactly("direct");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/own", "/forwarded", "/nowhere", "/chat/rooms", "/bots/all", "/direct" })
	void theGatewaysOwnHandlersAndFiltersSeeNoClaim(String path) {
		for (String claim : List.of(CLAIM, Claims.replay("unknown", "run-1"), "true")) {
			VISIBLE.clear();
			gateway.get(path, "X-Warmup", claim, "X-Kept", "yes");
			assertThat(VISIBLE).isNotEmpty().allSatisfy((headers) -> {
				assertThat(headers.getOrEmpty("X-Kept")).containsExactly("yes");
				assertThat(headers.getOrEmpty("X-Warmup")).isEmpty();
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "forward:/own, false", "http://localhost:1, true" })
	void withoutDiscoveryADirectRouteGetsAClaimAndAHandlerOfTheGatewayNone(String uri, boolean carries) {
		MockServerWebExchange exchange = Exchanges.get("/forwarded");
		route(exchange, uri, Optional.empty());
		HttpHeaders sent = new Routing.ClaimHeader().filter(new HttpHeaders(), exchange);
		assertThat(sent.containsHeader("X-Warmup")).isEqualTo(carries);
	}

	@Test
	void nothingOfAnEarlierDispatchCountsForTheNext() {
		ServiceInstance listed = Instances.of("CHAT", "chat-1");
		MockServerWebExchange exchange = Exchanges.chosen(Exchanges.get("/chat/rooms"), listed);
		route(exchange, "lb://chat", Optional.of(listed));
		HttpHeadersFilter filter = new Routing.ClaimHeader();
		HttpHeaders headers = new HttpHeaders();
		headers.set("X-Warmup", "of a filter");
		assertThat(filter.filter(headers, exchange).containsHeader("X-Warmup")).as("chosen before").isFalse();
		Exchanges.chosen(exchange, listed);
		assertThat(filter.filter(headers, exchange).get("X-Warmup")).containsExactly(CLAIM);
		assertThat(exchange.getAttributes()).containsEntry(PinningPostProcessor.ATTRIBUTE, listed);
		Routing.forget(exchange);
		Exchanges.chosen(exchange, listed);
		assertThat(filter.filter(headers, exchange).containsHeader("X-Warmup")).as("a user's").isFalse();
		assertThat(exchange.getAttributes()).doesNotContainKeys(PinningPostProcessor.ATTRIBUTE,
				WarmupContext.ATTRIBUTE);
	}

	private static void route(ServerWebExchange exchange, String uri, Optional<ServiceInstance> claimant) {
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async().id("r").uri(uri).predicate((request) -> true).build());
		Routing.route(exchange, WarmupClaim.parse(CLAIM).orElseThrow(), claimant, "gateway-1", Claims.key("gateway-1"));
	}

	@Test
	void warmupUsesTheClassesOfUsersRequests() {
		get("/chat/rooms", CLAIM);
		List<Class<?>> warmup = SEEN.get().classes();
		get("/chat/rooms");
		assertThat(SEEN.get().classes()).isNotEmpty().isEqualTo(warmup);
	}

	/** A route's own filter, and one of the application for all routes. */
	@ParameterizedTest
	@CsvSource({ "/targeted, X-Target", "/chat/rooms, X-Replace" })
	void librarysEndpointsAreNotRoutedWhereAFilterChangesTheTarget(String path, String header) {
		for (String endpoint : List.of("/actuator/warmup", "/.warmup/gateways/a", "/x/%2e%2e/actuator/warmup")) {
			assertThat(gateway.get(path, header, SERVICE.address() + endpoint).statusCode()).isEqualTo(404);
			assertThat(gateway.get(path, header, SERVICE.address() + endpoint, "X-Warmup", CLAIM).statusCode())
				.isEqualTo(404);
		}
		assertThat(SERVICE.drain()).isEmpty();
		assertThat(gateway.get(path, header, SERVICE.address() + "/rooms").statusCode()).isEqualTo(200);
		assertThat(SERVICE.drain()).hasSize(1);
	}

	@ParameterizedTest
	@MethodSource("forged")
	void forgedClaimNeitherPinsNorMarks(List<String> claims) {
		for (String path : List.of("/chat/rooms", "/bots/all", "/direct")) {
			HttpResponse<String> answer = get(path, claims.toArray(String[]::new));
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.body()).isEqualTo("fine");
			assertThat(SEEN.get().pin()).isEmpty();
			assertThat(SEEN.get().marked()).isFalse();
			assertThat(forwarded()).isEmpty();
		}
	}

	/** Of each reason why a claim does not verify, one. */
	static Stream<List<String>> forged() {
		return Stream.of(List.of(""), List.of("true"), List.of("instance=chat-1; run=run-1"),
				List.of(CLAIM.substring(0, CLAIM.length() - 1)), List.of(Claims.replay("unknown", "run-1")),
				List.of(Claims.of("bots-1", "chat-1", SignedClaim.Scope.REPLAY, "run-1")),
				List.of(Claims.of("chat-1", SignedClaim.Scope.REPORT, "run-1")), List.of(CLAIM, CLAIM),
				List.of(CLAIM, ""), List.of(CLAIM + ", " + CLAIM));
	}

	@Test
	void noTokenIsLogged(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger("dev.warmup");
		logger.setLevel(Level.DEBUG);
		try {
			get("/chat/rooms", CLAIM);
			get("/bots/all", CLAIM);
			get("/chat/rooms", Claims.of("forger", "chat-1", SignedClaim.Scope.REPLAY, "run-1"));
			gateway.send(HttpMethod.DELETE, "/.warmup/instances/leaving", "", "X-Warmup",
					Claims.of("leaving", SignedClaim.Scope.LEAVE, "run-1"));
		}
		finally {
			logger.setLevel(Level.INFO);
		}
		assertThat(output).contains("leaving announced that it stops").doesNotContain("jwt=", "eyJ");
		assertThat(CLAIM).as("how tokens begin").contains("jwt=eyJ");
	}

	@Test
	void applicationsOwnFilterCanLeaveWarmupAlone() {
		assertThat(gateway.get("/guarded/rooms").statusCode()).isEqualTo(403);
		assertThat(get("/guarded/rooms", CLAIM).statusCode()).isEqualTo(200);
		assertThat(get("/guarded/rooms", "instance=chat-1; run=run-1").statusCode()).isEqualTo(403);
	}

	@Test
	void warmupBeyondThePermitsIsDeferredAndUsersAreNot() {
		long deferred = gateway.count("warmup.claims", "outcome:deferred");
		long tagged = gateway.count("http.server.requests", "status:429", "warmup:true");
		CompletableFuture<HttpResponse<InputStream>> first = slow("/held");
		CompletableFuture<HttpResponse<InputStream>> second = slow("/held");
		awaitInFlight(2);
		HttpResponse<String> third = gateway.get("/slow/fast", "X-Warmup", SLOW);
		assertThat(third.statusCode()).isEqualTo(429);
		assertThat(third.headers().firstValue("Retry-After")).hasValue("1");
		HttpResponse<String> foreign = gateway.get("/bots/all", "X-Warmup", SLOW);
		assertThat(foreign.statusCode()).isEqualTo(429);
		assertThat(foreign.headers().firstValue("X-Warmup-Service")).as("the gateway's own answer").isEmpty();
		assertThat(gateway.get("/slow/fast").statusCode()).isEqualTo(200);
		assertThat(gateway.count("warmup.claims", "outcome:deferred")).isEqualTo(deferred + 2);
		Awaitility.await()
			.untilAsserted(() -> assertThat(gateway.count("http.server.requests", "status:429", "warmup:true"))
				.isEqualTo(tagged + 2));
		SERVICE.release();
		assertThat(first.join().statusCode()).isEqualTo(200);
		assertThat(second.join().statusCode()).isEqualTo(200);
		awaitInFlight(0);
		assertThat(gateway.get("/slow/fast", "X-Warmup", SLOW).statusCode()).isEqualTo(200);
	}

	@Test
	void forwardedWarmupNeedsOnePermitAndCountsOnce() {
		slow("/held");
		awaitInFlight(1); // of the two that one claimant gets
		long accepted = gateway.count("warmup.claims", "outcome:accepted");
		HttpResponse<String> answer = gateway.get("/again/slow", "X-Warmup", SLOW);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(gateway.count("warmup.claims", "outcome:accepted")).isEqualTo(accepted + 1);
	}

	@Test
	void warmupThatAFilterHandlesAgainNeedsAPermitAgain() {
		CompletableFuture<HttpResponse<InputStream>> twice = slow("/held", "X-Fails-Once", "yes");
		awaitInFlight(1);
		await(() -> {
			SERVICE.release(); // the second attempt may be held only after the first
								// release
			return twice.isDone();
		});
		assertThat(twice.join().statusCode()).isEqualTo(200);
	}

	@Test
	void warmupWhoseClientDisconnectsReleasesItsPermit() {
		CompletableFuture<HttpResponse<InputStream>> first = slow("/held");
		slow("/held");
		awaitInFlight(2);
		first.cancel(true);
		awaitInFlight(1);
	}

	@Test
	void permitIsHeldToTheLastByte() throws IOException {
		HttpResponse<InputStream> stream = slow("/endless").join();
		assertThat(stream.statusCode()).isEqualTo(200);
		assertThat(stream.headers().firstValueAsLong("X-Warmup-Queued")).as("that it waited, in ms").isPresent();
		assertThat(admission.warmupsInFlight()).isEqualTo(1);
		SERVICE.release();
		assertThat(stream.body().readAllBytes()).asString().isEqualTo("12");
		awaitInFlight(0);
	}

	private static HttpResponse<String> get(String path, String... claims) {
		SERVICE.drain();
		SEEN.set(new Seen(Optional.empty(), false, List.of()));
		return gateway.get(path,
				Arrays.stream(claims).flatMap((claim) -> Stream.of("X-Warmup", claim)).toArray(String[]::new));
	}

	private static List<String> forwarded() {
		return SERVICE.drain().stream().flatMap((request) -> request.claims().stream()).toList();
	}

	private static CompletableFuture<HttpResponse<InputStream>> slow(String path, String... headers) {
		return gateway.open("/slow" + path,
				Stream.concat(Stream.of("X-Warmup", SLOW), Arrays.stream(headers)).toArray(String[]::new));
	}

	private static void awaitInFlight(int warmups) {
		await(() -> admission.warmupsInFlight() == warmups);
	}

	private record Seen(Optional<ServiceInstance> pin, boolean marked, List<Class<?>> classes) {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		@Bean
		RouteLocator guarded(RouteLocatorBuilder routes) {
			return routes.routes()
				.route("guarded",
						(route) -> route.path("/guarded/**")
							.filters((filters) -> filters.filter(new Guard()))
							.uri("lb://chat"))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> own() {
			return RouterFunctions.route().GET("/own", (request) -> {
				VISIBLE.add(request.headers().asHttpHeaders());
				return ServerResponse.ok().build();
			}).build();
		}

		@Bean
		WebFilter changing() {
			return (exchange, chain) -> {
				HttpHeaders headers = exchange.getRequest().getHeaders();
				VISIBLE.add(headers);
				return chain.filter(headers.containsHeader("X-Mutate")
						? exchange.mutate().request((request) -> request.header("X-Mutated", "yes")).build() : exchange)
					.retry(headers.containsHeader("X-Fails-Once") ? 1 : 0);
			};
		}

		@Bean
		GlobalFilter attributes() {
			return (exchange, chain) -> {
				VISIBLE.add(exchange.getRequest().getHeaders());
				SEEN.set(new Seen(Optional.ofNullable(exchange.getAttribute(PinningPostProcessor.ATTRIBUTE)),
						exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE),
						List.of(exchange.getClass(), exchange.getRequest().getClass())));
				boolean fails = exchange.getRequest().getHeaders().containsHeader("X-Fails-Once")
						&& exchange.getAttributes().put("failed", true) == null;
				return fails ? Mono.error(new IllegalStateException("once")) : chain.filter(exchange);
			};
		}

		@Bean
		GlobalFilter replacing() {
			return new Replacing();
		}

	}

	/**
	 * Behind the filter that knows where the route leads, and ahead of the load
	 * balancer's.
	 */
	private static final class Replacing implements GlobalFilter, Ordered {

		@Override
		public int getOrder() {
			return RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			Optional.ofNullable(exchange.getRequest().getHeaders().getFirst("X-Replace"))
				.ifPresent((target) -> exchange.getAttributes()
					.put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, URI.create(target)));
			return chain.filter(exchange);
		}

	}

	private static final class Guard implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			if (exchange.getAttribute(WarmupContext.ATTRIBUTE) != null) {
				return chain.filter(exchange);
			}
			exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
			return exchange.getResponse().setComplete();
		}

	}

}
