package dev.warmup.service;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
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
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/** What is decided for both stacks, seen through the reactive filter. */
class WebFilterTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final WarmupContext MARK = new WarmupContext("host:1", "r-1");

	private static final String ANOTHERS_TOKEN = "; token=" + Token.Secret.generate().forGateway("gw-1").value();

	private final UserActivity users = new UserActivity(new MutableClock());

	private final Gate gate = new Gate(true, (event) -> {
	});

	private final OwnState state = Runs.state(this.gate, true);

	private final String own = Runs.begin(this.state);

	private final WarmupWebFilter filter = filter(WarmupRequests.Role.SERVICE);

	/** What the application found in its context; {@code null} unless it was called. */
	private final AtomicReference<@Nullable Optional<WarmupContext>> seen = new AtomicReference<>();

	private Class<?> contextClass = Void.class;

	private HttpHeaders headers = new HttpHeaders();

	private final WebFilterChain chain = (exchange) -> Mono.deferContextual((context) -> {
		this.seen.set(WarmupContext.find(context));
		this.contextClass = context.getClass();
		this.headers = exchange.getRequest().getHeaders();
		return Mono.empty();
	});

	@Test
	void ownWarmupIsMarkedAndProvedAndIsNoUsersRequest() {
		MockServerWebExchange exchange = filter("/rooms", this.own);
		assertThat(this.seen.get()).contains(MARK);
		assertThat(exchange.<WarmupContext>getAttribute(WarmupContext.ATTRIBUTE)).isEqualTo(MARK);
		assertThat(exchange.getResponse().getHeaders().get(WarmupHeader.INSTANCE)).containsExactly("host:1");
		assertThat(this.headers.headerNames()).doesNotContain(WarmupHeader.NAME);
		assertThat(this.users.last()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("headersOfUsers")
	void anyOtherHeaderIsRemovedAndTheRequestIsAUsers(List<String> values) {
		MockServerWebExchange exchange = filter("/rooms", values.toArray(String[]::new));
		assertThat(this.seen.get()).isEmpty();
		assertThat(exchange.getResponse().getHeaders().headerNames()).doesNotContain(WarmupHeader.INSTANCE);
		assertThat(this.headers.headerNames()).doesNotContain(WarmupHeader.NAME);
		assertThat(this.users.last()).isPresent();
	}

	static Stream<List<String>> headersOfUsers() {
		return Stream.of(List.of(), List.of(""), List.of("true"), List.of("instance=host:1"),
				List.of("instance=host:1" + ANOTHERS_TOKEN), List.of("instance=<a>" + ANOTHERS_TOKEN),
				List.of("instance=host:2" + ANOTHERS_TOKEN + "x"),
				List.of("instance=host:2" + ANOTHERS_TOKEN, "instance=host:2" + ANOTHERS_TOKEN));
	}

	@Test
	void theHashInTheStateIsNoToken() {
		String hash = this.state.read("gw-1", Set.of(), Optional.empty())
			.blockOptional(TIMEOUT)
			.flatMap(InstanceState::tokenHash)
			.orElseThrow();
		filter("/rooms", "instance=host:1; token=" + hash);
		assertThat(this.seen.get()).isEmpty();
		assertThat(this.users.last()).isPresent();
	}

	@Test
	void warmupOfAnotherInstanceIsRejected() {
		MockServerWebExchange exchange = filter("/rooms", "instance=host:2" + ANOTHERS_TOKEN);
		assertThat(this.seen.get()).isNull();
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.MISDIRECTED_REQUEST);
		assertThat(this.users.last()).isEmpty();
	}

	@Test
	void aTokenIsWorthNothingOnceItsRunHasEnded() {
		this.state.endRun(Runs.run(Optional.of(Verdict.WARM)), Optional::empty);
		filter("/rooms", this.own);
		assertThat(this.seen.get()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/actuator, false", "/actuator/health, false", "/.warmup/other, false", "/actuators, true" })
	void whatTheSystemItselfRequestsIsNoUsersRequest(String path, boolean user) {
		filter(path);
		assertThat(this.users.last().isPresent()).isEqualTo(user);
	}

	@Test
	void contextOfUsersHasTheClassThatWasCompiledForWarmup() {
		filter("/rooms", this.own);
		Class<?> warmedUp = this.contextClass;
		filter("/rooms");
		assertThat(this.contextClass).isEqualTo(warmedUp).isNotEqualTo(Context.empty().getClass());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void applicationGetsTheServersOwnRequestWhereItsHeadersCanBeChanged(boolean changeable) {
		MultiValueMap<String, String> received = new LinkedMultiValueMap<>(
				Map.of(WarmupHeader.NAME, List.of(this.own), "X-Kept", List.of("yes")));
		HttpHeaders all = HttpHeaders
			.readOnlyHttpHeaders(changeable ? received : CollectionUtils.unmodifiableMultiValueMap(received));
		ServerHttpRequest request = new ServerHttpRequestDecorator(MockServerHttpRequest.get("/rooms").build()) {

			@Override
			public HttpHeaders getHeaders() {
				return all;
			}

		};
		ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"))
			.mutate()
			.request(request)
			.build();
		AtomicReference<@Nullable ServerWebExchange> passed = new AtomicReference<>();
		run(this.filter, exchange, (next) -> Mono.fromRunnable(() -> passed.set(next)));
		assertThat(passed.get() == exchange).isEqualTo(changeable);
		assertThat(passed.get()).extracting((next) -> next.getRequest().getHeaders().headerNames())
			.isEqualTo(Set.of("X-Kept"));
	}

	@ParameterizedTest
	@EnumSource(WarmupRequests.Role.class)
	void probeSaysWhetherTheGateIsOpen(WarmupRequests.Role role) {
		assertThat(status(role, "GET", "/.warmup/ready")).isEqualTo(503);
		this.gate.open();
		assertThat(status(role, "GET", "/.warmup/ready")).isEqualTo(200);
		this.gate.leave();
		assertThat(status(role, "GET", "/.warmup/ready")).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "POST, /.warmup/ready", "GET, /.warmup/ready/", "GET, /.warmup//ready", "GET, /.warmup/ready;a=b",
			"GET, /%2ewarmup/ready", "GET, /.warmup/st%61te", "GET, /.WARMUP/state", "GET, /x/../.warmup/state",
			"GET, /.warmup", "POST, /.warmup/state" })
	void noOtherSpellingAndMethodIsAnswered(String method, String path) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(HttpMethod.valueOf(method), URI.create(path))
				.header(WarmupHeader.GATEWAY, "gw-1"));
		run(this.filter, exchange, this.chain);
		assertThat(this.seen.get()).as("it is the application's").isNotNull();
	}

	@ParameterizedTest
	@CsvSource({ "?gateway=gw-1, ", "'', gw-1", "?gateway=, gw-1", "?gateway=%3Ca%3E, gw-1" })
	void theStateIsOnlyForWhoNamesItselfAsGatewaysDo(String query, @Nullable String header) {
		assertThat(look(this.filter, query, header).getResponse().getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(this.seen.get()).isNull();
	}

	@Test
	void gatewayReadsTheStateWithTheHashForItAlone() {
		InstanceState read = read(this.filter, "?gateway=gw-1");
		assertThat(read.instance()).isEqualTo(Runs.SELF);
		assertThat(read.tokenHash()).contains(WarmupHeader.parse(List.of(this.own)).orElseThrow().token().hash());
		assertThat(read.wants()).isEmpty();
		assertThat(read.answer()).isEmpty();
		assertThat(read(this.filter, "?gateway=gw-2").tokenHash()).isNotEqualTo(read.tokenHash());
	}

	@Test
	void gatewayThatWantsARunIsAnswered() {
		assertThat(read(this.filter, "?gateway=gw-1&wants=true").answer()).contains(RunAnswer.STARTED);
		assertThat(read(this.filter, "?gateway=failing&wants=true").answer()).isEmpty();
		assertThat(read(this.filter, "?gateway=gw-1&wants=no").answer()).isEmpty();
	}

	@Test
	void aGatewaysStateHasWhatItWantsAndItsRequestsAreLeftToItsOtherFilters() {
		WarmupWebFilter gateway = filter(WarmupRequests.Role.GATEWAY);
		assertThat(read(gateway, "?gateway=host:1").wants()).containsExactly("chat");
		run(gateway, exchange("GET", "/rooms", "instance=host:2" + ANOTHERS_TOKEN), this.chain);
		assertThat(this.headers.headerNames()).contains(WarmupHeader.NAME);
		assertThat(this.users.last()).isEmpty();
	}

	@Test
	void aGatewayMarksItsOwnWarmupInAContextOfTheSameClass() {
		WarmupWebFilter gateway = filter(WarmupRequests.Role.GATEWAY);
		run(gateway, exchange("GET", "/rooms"), this.chain);
		Class<?> users = this.contextClass;
		MockServerWebExchange exchange = exchange("GET", "/rooms", this.own);
		run(gateway, exchange, this.chain);
		assertThat(this.seen.get()).contains(MARK);
		assertThat(this.contextClass).isEqualTo(users);
		assertThat(exchange.getResponse().getHeaders().get(WarmupHeader.INSTANCE)).containsExactly("host:1");
		assertThat(this.headers.headerNames()).doesNotContain(WarmupHeader.NAME);
		assertThat(this.users.last()).isEmpty();
	}

	@Test
	void whereWarmupIsOffThereIsNoStateAndEveryRequestIsAUsers() {
		WarmupWebFilter off = filter(WarmupRequests.Role.OFF);
		look(off, "?gateway=gw-1", "gw-1");
		assertThat(this.seen.get()).as("left to the application").isNotNull();
		for (String header : List.of(this.own, "instance=host:2" + ANOTHERS_TOKEN)) {
			this.seen.set(null);
			run(off, exchange("GET", "/rooms", header), this.chain);
			assertThat(this.seen.get()).isEmpty();
			assertThat(this.headers.headerNames()).doesNotContain(WarmupHeader.NAME);
		}
	}

	private WarmupWebFilter filter(WarmupRequests.Role role) {
		WantedRuns runs = new WantedRuns() {

			@Override
			public Mono<RunAnswer> wantedBy(String gatewayId) {
				return gatewayId.equals("failing") ? Mono.error(new IllegalStateException())
						: Mono.just(RunAnswer.STARTED);
			}

			@Override
			public Set<String> services() {
				return (role == WarmupRequests.Role.GATEWAY) ? Set.of("chat") : Set.of();
			}

		};
		return new WarmupWebFilter(new WarmupRequests(role, this.gate, this.state, () -> runs,
				() -> new InternalPaths(List.of("/actuator"))), this.users);
	}

	private int status(WarmupRequests.Role role, String method, String path) {
		MockServerWebExchange exchange = exchange(method, path);
		run(filter(role), exchange, this.chain);
		return Optional.ofNullable(exchange.getResponse().getStatusCode()).orElseThrow().value();
	}

	private MockServerWebExchange look(WarmupWebFilter tested, String query, @Nullable String header) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.method(HttpMethod.GET,
				URI.create("/.warmup/state" + query));
		if (header != null) {
			request.header(WarmupHeader.GATEWAY, header);
		}
		MockServerWebExchange exchange = MockServerWebExchange.from(request);
		run(tested, exchange, this.chain);
		return exchange;
	}

	private InstanceState read(WarmupWebFilter tested, String query) {
		return InstanceState.fromJson(look(tested, query, "gw-1").getResponse()
			.getBodyAsString()
			.blockOptional(TIMEOUT)
			.orElseThrow()
			.getBytes(StandardCharsets.UTF_8));
	}

	private MockServerWebExchange filter(String path, String... values) {
		MockServerWebExchange exchange = exchange("GET", path, values);
		run(this.filter, exchange, this.chain);
		return exchange;
	}

	private static void run(WarmupWebFilter tested, ServerWebExchange exchange, WebFilterChain chain) {
		StepVerifier.create(tested.filter(exchange, chain)).expectComplete().verify(TIMEOUT);
	}

	private static MockServerWebExchange exchange(String method, String path, String... values) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.method(HttpMethod.valueOf(method), path);
		if (values.length > 0) {
			request.header(WarmupHeader.NAME, values);
		}
		return MockServerWebExchange.from(request);
	}

}
