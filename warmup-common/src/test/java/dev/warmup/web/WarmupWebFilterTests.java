package dev.warmup.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupWebFilterTests {

	private static final WarmupToken TOKEN = WarmupToken.of("token-of-the-tests");

	private static final String OWN = "instance=host:1; token=token-of-the-tests; run=r-1";

	private static final WarmupContext MARK = new WarmupContext("host:1", "r-1");

	private final MutableClock clock = new MutableClock();

	private final UserActivity idleClock = new UserActivity(this.clock);

	private final WarmupWebFilter filter = new WarmupWebFilter(() -> "host:1", TOKEN, this.idleClock,
			new InternalPaths(List.of("/actuator")));

	private final AtomicReference<Optional<WarmupContext>> seen = new AtomicReference<>();

	private Class<?> contextClass = Void.class;

	private final WebFilterChain chain = (exchange) -> Mono.deferContextual((context) -> {
		this.seen.set(WarmupContext.find(context));
		this.contextClass = context.getClass();
		assertThat(WarmupContext.isWarmup(context)).isEqualTo(this.seen.get().isPresent());
		return Mono.empty();
	});

	@Test
	void aWarmupRequestIsMarkedAnsweredByNameAndLeavesTheIdleClockAlone() {
		MockServerWebExchange exchange = exchange("/rooms", OWN);
		filter(exchange, this.chain);
		assertThat(this.seen.get()).contains(MARK);
		assertThat(exchange.<WarmupContext>getAttribute(WarmupContext.ATTRIBUTE)).isEqualTo(MARK);
		assertThat(exchange.getResponse().getHeaders().getFirst(WarmupClaim.INSTANCE_HEADER)).isEqualTo("host:1");
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void aUsersRequestIsNotMarkedAndWindsTheIdleClock() {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/rooms"));
		filter(exchange, this.chain);
		assertThat(this.seen.get()).isEmpty();
		assertThat(exchange.getAttributes()).doesNotContainKey(WarmupContext.ATTRIBUTE);
		assertThat(exchange.getResponse().getHeaders().containsHeader(WarmupClaim.INSTANCE_HEADER)).isFalse();
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
	}

	@Test
	void usersHaveAContextOfTheClassThatWasCompiledForWarmup() {
		filter(exchange("/rooms", OWN), this.chain);
		Class<?> warmedUp = this.contextClass;
		filter(MockServerWebExchange.from(MockServerHttpRequest.get("/rooms")), this.chain);
		assertThat(this.contextClass).isEqualTo(warmedUp).isNotEqualTo(Context.empty().getClass());
		filter(exchange("/rooms", "true"), this.chain);
		assertThat(this.contextClass).isEqualTo(warmedUp);
	}

	@Test
	void aMarkIsHandedOnButWindsTheIdleClockAsItProvesNothing() {
		MockServerWebExchange exchange = exchange("/rooms", "instance=host:2; run=r-1");
		filter(exchange, this.chain);
		assertThat(this.seen.get()).contains(new WarmupContext("host:2", "r-1"));
		assertThat(exchange.getResponse().getHeaders().containsHeader(WarmupClaim.INSTANCE_HEADER)).isFalse();
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
	}

	@ParameterizedTest
	@ValueSource(strings = { "instance=host:2; token=token-of-the-tests; run=r-1",
			"instance=host:1; token=token-of-another; run=r-1" })
	void warmupOfAnotherIsTurnedAway(String claim) {
		MockServerWebExchange exchange = exchange("/rooms", claim);
		filter(exchange, this.chain);
		assertThat(this.seen.get()).isNull();
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.MISDIRECTED_REQUEST);
		assertThat(exchange.getAttributes()).doesNotContainKey(WarmupContext.ATTRIBUTE);
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void severalClaimsAreAUsersRequest() {
		filter(MockServerWebExchange.from(MockServerHttpRequest.get("/rooms").header(WarmupClaim.HEADER, OWN, OWN)),
				this.chain);
		assertThat(this.seen.get()).isEmpty();
		assertThat(this.idleClock.lastUserRequest()).isPresent();
	}

	@Test
	void claimsToTheLibrarysOwnPathsAreJudgedThere() {
		filter(exchange("/.warmup/gateways/gateway-1", "instance=gateway-1; token=token-of-another; run=r-1"),
				this.chain);
		assertThat(this.seen.get()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "true", "instance=a", "instance=<a>; run=b" })
	void aMalformedClaimIsAUsersRequest(String header) {
		filter(exchange("/rooms", header), this.chain);
		assertThat(this.seen.get()).isEmpty();
		assertThat(this.idleClock.lastUserRequest()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator", "/actuator/health", "/.warmup/ready", "/.warmup/runs/1" })
	void theSystemsOwnRequestsAreNoUsers(String path) {
		filter(MockServerWebExchange.from(MockServerHttpRequest.get(path)), this.chain);
		assertThat(this.seen.get()).isEmpty();
		assertThat(this.idleClock.lastUserRequest()).isEmpty();
	}

	@Test
	void aPathThatOnlyBeginsAlikeIsAUsers() {
		filter(MockServerWebExchange.from(MockServerHttpRequest.get("/actuators")), this.chain);
		assertThat(this.idleClock.lastUserRequest()).isPresent();
	}

	@Test
	void theIdleClockIsWoundAgainWhenALongRequestEnds() {
		Sinks.Empty<Void> answer = Sinks.empty();
		StepVerifier
			.create(this.filter.filter(MockServerWebExchange.from(MockServerHttpRequest.get("/stream")),
					(exchange) -> answer.asMono()))
			.then(() -> {
				assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START);
				assertThat(this.idleClock.inFlight()).isEqualTo(1);
				this.clock.advance(Duration.ofHours(1));
				answer.tryEmitEmpty().orThrow();
			})
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(this.idleClock.lastUserRequest()).hasValue(MutableClock.START.plus(Duration.ofHours(1)));
		assertThat(this.idleClock.inFlight()).isZero();
		assertThat(this.idleClock.begun()).isEqualTo(1);
	}

	@Test
	void anErrorOfTheApplicationPassesThrough() {
		StepVerifier
			.create(this.filter.filter(exchange("/rooms", OWN),
					(exchange) -> Mono.error(new IllegalStateException("theirs"))))
			.expectErrorMessage("theirs")
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void itComesAheadOfSpringSecurity() {
		assertThat(this.filter.getOrder()).isLessThan(-100);
	}

	private void filter(MockServerWebExchange exchange, WebFilterChain next) {
		StepVerifier.create(this.filter.filter(exchange, next)).expectComplete().verify(Duration.ofSeconds(30));
	}

	private static MockServerWebExchange exchange(String path, String claim) {
		return MockServerWebExchange.from(MockServerHttpRequest.get(path).header(WarmupClaim.HEADER, claim));
	}

}
