package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.Exchanges;
import dev.warmup.Instances;
import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.UserActivity;
import dev.warmup.web.StrippingWebFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupGlobalFilterTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final ClaimVerifier.Verification REJECTED = new ClaimVerifier.Verification.Rejected();

	private final GatewayConfiguration.WarmupConfiguration configuration = new GatewayConfiguration.WarmupConfiguration();

	private final Scheduler log = this.configuration.warmupLog();

	private final Fleet fleet = this.configuration.warmupFleet(this.log);

	@AfterEach
	void close() {
		this.log.dispose();
	}

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void listenerThatBlocksHoldsNoRequestAndNoMeasurement() {
		this.fleet.reported(Reports.warm("chat", "chat-1", "run-1"));
		CompletableFuture<Void> called = new CompletableFuture<>();
		CompletableFuture<Void> released = new CompletableFuture<>();
		WarmupGlobalFilter filter = filter(REJECTED, new GatewayListener() {

			@Override
			public void onFirstUserRequest(Instance instance, String route, Duration latency) {
				called.complete(null);
				released.join();
			}

		});
		try {
			answer(filter, userExchange());
			called.join();
			IntStream.range(0, 99).forEach((i) -> answer(filter, userExchange()));
			assertThat(this.fleet.entries().get(0).firstUsers()).extracting(Fleet.Entry.FirstUsersEntry::requests)
				.containsExactly(100);
		}
		finally {
			released.complete(null);
		}
	}

	@Test
	void answerCountsOnceWhereARouteForwardsToAnother() {
		this.fleet.reported(Reports.warm("chat", "chat-1", "run-1"));
		WarmupGlobalFilter filter = filter(REJECTED);
		StepVerifier
			.create(filter.filter(userExchange(), (routed) -> filter.filter(routed, WarmupGlobalFilterTests::ok)))
			.expectComplete()
			.verify(LIMIT);
		assertThat(this.fleet.entries().get(0).firstUsers()).extracting(Fleet.Entry.FirstUsersEntry::requests)
			.containsExactly(1);
	}

	@Test
	void answerThatCannotBeRecordedIsServed() {
		MockServerWebExchange exchange = userExchange();
		Exchanges.chosen(exchange, Instances.of(null, "chat-1"));
		try (CapturedLog log = CapturedLog.of(WarmupGlobalFilter.class)) {
			answer(filter(REJECTED), exchange);
			assertThat(log.lines()).containsExactly("WARN A request could not be recorded");
		}
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.OK);
	}

	@Test
	void onlyAnAnswerOfTheClaimantCounts() {
		SignedClaim signed = new SignedClaim("chat-1", "chat-1", "gateway-1", SignedClaim.Scope.REPLAY, "run-1",
				MutableClock.START);
		WarmupGlobalFilter filter = filter(new ClaimVerifier.Verification.Verified(signed, Optional.empty()));
		claimed(filter, (next) -> answeredBy("chat-2", next));
		assertThat(this.fleet.entries()).isEmpty();
		claimed(filter, (next) -> answeredBy("chat-1", next));
		assertThat(this.fleet.entries()).extracting(Fleet.Entry::instanceId).containsExactly("chat-1");
	}

	@Test
	void fallbackOfACircuitBreakerIsNoAnswerOfTheInstance() {
		this.fleet.reported(Reports.warm("chat", "chat-1", "run-1"));
		MockServerWebExchange exchange = userExchange();
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.CIRCUITBREAKER_EXECUTION_EXCEPTION_ATTR, new TimeoutException());
		answer(filter(REJECTED), exchange);
		assertThat(this.fleet.entries().get(0).firstUsers()).isEmpty();
	}

	private static MockServerWebExchange userExchange() {
		return Exchanges.chosen(Exchanges.get("/rooms"), Instances.of("chat-1"));
	}

	private static Mono<Void> answeredBy(String id, ServerWebExchange exchange) {
		return ok(Exchanges.chosen(exchange, Instances.of(id)));
	}

	private static void answer(WarmupGlobalFilter filter, MockServerWebExchange exchange) {
		StepVerifier.create(filter.filter(exchange, WarmupGlobalFilterTests::ok)).expectComplete().verify(LIMIT);
	}

	private static Mono<Void> ok(ServerWebExchange exchange) {
		exchange.getResponse().setStatusCode(HttpStatus.OK);
		return exchange.getResponse().setComplete();
	}

	@Test
	void claimIsAnsweredBy503WhileTheRegistryIsUnavailable() {
		RecordingListener listener = new RecordingListener();
		WarmupGlobalFilter filter = filter(new ClaimVerifier.Verification.Unavailable(), listener);
		MockServerWebExchange claimed = claimed(filter, (next) -> Mono.error(new AssertionError("went on")));
		assertThat(claimed.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(claimed.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("1");
		assertThat(listener.calls()).containsExactly("UNAVAILABLE");
	}

	@Test
	void forgedClaimIsServedAsAUsersThoughAListenerFails() {
		WarmupGlobalFilter filter = filter(REJECTED, new GatewayListener() {

			@Override
			public void onClaim(GatewayListener.ClaimOutcome next) {
				throw new IllegalStateException("a faulty listener");
			}

		});
		MockServerWebExchange forged = claimed(filter, WarmupGlobalFilterTests::ok);
		assertThat(forged.getAttributes()).doesNotContainKey(WarmupContext.ATTRIBUTE);
		assertThat(forged.getResponse().getStatusCode()).isEqualTo(HttpStatus.OK);
	}

	/**
	 * Sends a request with a claim, which an earlier dispatch accepted, through the
	 * filter, and returns its exchange.
	 */
	private static MockServerWebExchange claimed(WarmupGlobalFilter filter, GatewayFilterChain chain) {
		MockServerWebExchange claimed = Exchanges.get("/rooms", "X-Warmup", "instance=chat-1; run=run-1");
		claimed.getAttributes().put(WarmupContext.ATTRIBUTE, new WarmupContext("chat-1", "run-1"));
		StepVerifier.create(new StrippingWebFilter().filter(claimed, (stripped) -> filter.filter(stripped, chain)))
			.expectComplete()
			.verify(LIMIT);
		return claimed;
	}

	private WarmupGlobalFilter filter(ClaimVerifier.Verification verification, GatewayListener... listeners) {
		return new WarmupGlobalFilter((claim, scope) -> Mono.just(verification), this.fleet,
				new UserActivity(Clock.systemUTC()), List.of(listeners), () -> new Instance("gateway", "gateway-1"),
				Claims.key("gateway-1"));
	}

}
