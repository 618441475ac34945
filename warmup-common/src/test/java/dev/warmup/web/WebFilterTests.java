package dev.warmup.web;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class WebFilterTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final String UNSIGNED = "instance=host:2; run=r-1";

	private static final String OWN = Claims.replay("host:1", "r-1");

	private final MutableClock clock = new MutableClock();

	private final UserActivity users = new UserActivity(this.clock);

	private final WarmupWebFilter filter = filter();

	/** What the application found in its context; {@code null} unless it was called. */
	private final AtomicReference<Optional<WarmupContext>> seen = new AtomicReference<>();

	private Class<?> contextClass = Void.class;

	/** The headers that the application received. */
	private HttpHeaders headers = new HttpHeaders();

	private final WebFilterChain chain = (exchange) -> Mono.deferContextual((context) -> {
		this.seen.set(WarmupContext.find(context));
		this.contextClass = context.getClass();
		this.headers = exchange.getRequest().getHeaders();
		return Mono.empty();
	});

	@ParameterizedTest
	@MethodSource("requests")
	void requestsAreMarkedOrCountAsUsersAndHideTheirClaim(String path, List<String> claims, Optional<String> marked,
			boolean user) {
		MockServerWebExchange exchange = filter(path, claims.toArray(String[]::new));
		Optional<WarmupContext> mark = marked.map((instance) -> new WarmupContext(instance, "r-1"));
		assertThat(this.seen.get()).isEqualTo(mark);
		assertThat(Optional.ofNullable(exchange.getAttribute(WarmupContext.ATTRIBUTE))).isEqualTo(mark);
		assertThat(exchange.getResponse().getHeaders().getOrEmpty(WarmupClaim.INSTANCE_HEADER))
			.isEqualTo(marked.filter("host:1"::equals).stream().toList());
		assertThat(this.headers.headerNames()).doesNotContain(WarmupClaim.HEADER);
		assertThat(this.users.lastUserRequest().isPresent()).isEqualTo(user);
		assertThat(this.users.begun()).isEqualTo((user || marked.filter("shop-1"::equals).isPresent()) ? 1 : 0);
		assertThat(this.users.inFlight()).isZero();
	}

	static Stream<Arguments> requests() {
		Stream<Arguments> own = Stream.of(arguments("/rooms", List.of(OWN), Optional.of("host:1"), false),
				arguments("/rooms", List.of(mark("orders-1")), Optional.of("shop-1"), false),
				arguments("/rooms", List.of(OWN, OWN), Optional.empty(), true));
		Stream<Arguments> unverified = Stream
			.of(mark("forger-1"), mark("unreachable-1"), UNSIGNED, UNSIGNED + "," + UNSIGNED, "", "true", "instance=a",
					"instance=<a>; run=b")
			.map((claim) -> arguments("/rooms", List.of(claim), Optional.empty(), true));
		Stream<Arguments> unclaimed = Stream.of("/actuator", "/actuator/health", "/.warmup/ready", "/actuators")
			.map((path) -> arguments(path, List.of(), Optional.empty(), path.equals("/actuators")));
		return Stream.of(own, unverified, unclaimed).flatMap((each) -> each);
	}

	@Test
	void instanceDoesNotAcceptItsOwnClaimWhenThatIsTooOld() {
		ClaimCheck later = new ClaimCheck(() -> new Instance("chat", "host:1"), Claims.key("host:1"),
				(claim, scope) -> Mono.just(new ClaimVerifier.Verification.Rejected()), false,
				Clock.offset(Clock.systemUTC(), SignedClaim.LIFETIME.plusSeconds(60)));
		StepVerifier.create(later.of(List.of(OWN)))
			.expectNext(ClaimCheck.Result.MISDIRECTED)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void markCountsAsAUsersWhereTheRegistryDoesNotAnswer() {
		ClaimCheck hanging = new ClaimCheck(() -> new Instance("chat", "host:1"), Claims.key("host:1"),
				(claim, scope) -> Mono.never(), false, Clock.systemUTC());
		StepVerifier.withVirtualTime(() -> hanging.of(List.of(mark("orders-1"))))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(1999))
			.thenAwait(Duration.ofMillis(1))
			.expectNext(ClaimCheck.Result.USER)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@ParameterizedTest
	@MethodSource("misdirected")
	void warmupOfAnotherInstanceIsRejected(String claim) {
		MockServerWebExchange exchange = filter("/rooms", claim);
		assertThat(this.seen.get()).isNull();
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.MISDIRECTED_REQUEST);
		assertThat(this.users.lastUserRequest()).isEmpty();
	}

	static Stream<String> misdirected() {
		return Stream.of(Claims.replay("host:2", "r-1"), Claims.of("host:2", "host:1", SignedClaim.Scope.REPLAY, "r-1"),
				Claims.of("host:1", "host:2", SignedClaim.Scope.REPLAY, "r-1"),
				Claims.of("host:1", SignedClaim.Scope.REPORT, "r-1"), OWN.replace("run=r-1", "run=r-2"));
	}

	@Test
	void contextOfUsersHasTheClassThatWasCompiledForWarmup() {
		filter("/rooms", OWN);
		Class<?> warmedUp = this.contextClass;
		filter("/rooms");
		assertThat(this.contextClass).isEqualTo(warmedUp).isNotEqualTo(Context.empty().getClass());
		filter("/rooms", "true");
		assertThat(this.contextClass).isEqualTo(warmedUp);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void applicationGetsTheServersOwnRequestWhereItsHeadersCanBeChanged(boolean changeable) {
		MultiValueMap<String, String> received = new LinkedMultiValueMap<>(
				Map.of(WarmupClaim.HEADER, List.of(OWN), "X-Kept", List.of("yes")));
		HttpHeaders headers = HttpHeaders
			.readOnlyHttpHeaders(changeable ? received : CollectionUtils.unmodifiableMultiValueMap(received));
		ServerHttpRequest request = new ServerHttpRequestDecorator(MockServerHttpRequest.get("/rooms").build()) {

			@Override
			public HttpHeaders getHeaders() {
				return headers;
			}

		};
		ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"))
			.mutate()
			.request(request)
			.build();
		AtomicReference<ServerWebExchange> passed = new AtomicReference<>();
		StepVerifier.create(this.filter.filter(exchange, (next) -> Mono.fromRunnable(() -> passed.set(next))))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(passed.get() == exchange).isEqualTo(changeable);
		assertThat(passed.get().getRequest().getHeaders().headerNames()).containsExactly("X-Kept");
		assertThat(passed.get().<WarmupContext>getAttribute(WarmupContext.ATTRIBUTE)).isNotNull();
	}

	@Test
	void warmupStaysWarmupWhereAFilterAheadHandlesItAgain() {
		MockServerWebExchange exchange = exchange("GET", "/rooms", OWN);
		run(this.filter, exchange);
		this.seen.set(Optional.empty());
		run(this.filter, exchange);
		assertThat(this.seen.get()).contains(new WarmupContext("host:1", "r-1"));
		assertThat(this.users.lastUserRequest()).isEmpty();
	}

	@Test
	void userActivityIsRecordedFromBeginToEnd() {
		Sinks.Empty<Void> response = Sinks.empty();
		StepVerifier.create(this.filter.filter(exchange("GET", "/stream"), (exchange) -> response.asMono()))
			.then(() -> {
				assertThat(this.users.inFlight()).isEqualTo(1);
				this.clock.advance(Duration.ofHours(1));
				response.tryEmitEmpty().orThrow();
			})
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.users.lastUserRequest()).hasValue(MutableClock.START.plus(Duration.ofHours(1)));
		assertThat(this.users.inFlight()).isZero();
		assertThat(this.users.begun()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /.warmup/ready, true, 200", "GET, /.warmup/ready, false, 503", "POST, /.warmup/ready, true,",
			"GET, /.warmup, true,", "GET, /.warmup/ready/x, true,", "GET, /, true," })
	void startupProbeAnswersWhetherTheApplicationIsReady(String method, String path, boolean ready, Integer status) {
		MockServerWebExchange exchange = exchange(method, path);
		run(new ProtocolWebFilter(() -> ready, Optional.empty()), exchange);
		assertThat(this.seen.get() == null).isEqualTo(status != null);
		if (status != null) {
			assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.valueOf(status));
		}
	}

	private WarmupWebFilter filter() {
		ClaimVerifier verifier = (claim, scope) -> Mono.just(switch (claim.instanceId()) {
			case "orders-1" -> new ClaimVerifier.Verification.Verified(
					SignedClaim.read(claim.jwt().orElseThrow()).filter((each) -> each.scope() == scope).orElseThrow(),
					Optional.empty());
			case "unreachable-1" -> new ClaimVerifier.Verification.Unavailable();
			default -> new ClaimVerifier.Verification.Rejected();
		});
		ClaimCheck claims = new ClaimCheck(() -> new Instance("chat", "host:1"), Claims.key("host:1"), verifier, false,
				Clock.systemUTC());
		return new WarmupWebFilter(claims, this.users, new InternalPaths(List.of("/actuator")));
	}

	private static String mark(String instanceId) {
		return Claims.key(instanceId).mark(instanceId, "chat", new WarmupContext("shop-1", "r-1")).format();
	}

	private MockServerWebExchange filter(String path, String... claims) {
		MockServerWebExchange exchange = exchange("GET", path, claims);
		run(this.filter, exchange);
		return exchange;
	}

	private void run(WebFilter tested, MockServerWebExchange exchange) {
		StepVerifier.create(tested.filter(exchange, this.chain)).expectComplete().verify(TIMEOUT);
	}

	private static MockServerWebExchange exchange(String method, String path, String... claims) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.method(HttpMethod.valueOf(method), path);
		if (claims.length > 0) {
			request.header(WarmupClaim.HEADER, claims);
		}
		return MockServerWebExchange.from(request);
	}

}
