package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.Replayer.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static dev.warmup.run.RunFixture.CATALOG;
import static dev.warmup.run.RunFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

/** When a request is sent again, and how long it may take. */
class ReplayerResendTests {

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Budget budget = Budget.start(BUDGET, () -> this.time.now(TimeUnit.NANOSECONDS));

	private final List<Duration> sentAt = new ArrayList<>();

	private Session session = RunFixture.session(CATALOG, "http://gw.invalid", this.budget);

	@Test
	void anyOtherAnswerIsFinalAndSoIsTheInstancesOwn() {
		assertThat(send((n) -> answer(503, "Retry-After", "1")).status()).isEqualTo(503);
		this.budget.restart(BUDGET);
		assertThat(send((n) -> answer(429)).status()).isEqualTo(429);
		this.budget.restart(BUDGET);
		assertThat(send((n) -> answer(421, WarmupClaim.INSTANCE_HEADER, "host:1")).status()).isEqualTo(421);
		this.budget.restart(BUDGET);
		assertThat(send((n) -> answer(429, WarmupClaim.INSTANCE_HEADER, "host:1", "Retry-After", "1")).status())
			.isEqualTo(429);
		assertThat(this.sentAt).containsExactly(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(2),
				Duration.ofHours(3));
	}

	@Test
	void aRequestThatAnotherInstanceRejectedIsSentAgainAtOnce() {
		assertThat(send((n) -> (n < 3) ? answer(421) : answer(200)).status()).isEqualTo(200);
		assertThat(this.sentAt).hasSize(4);
		assertThat(this.sentAt.get(3)).isLessThan(Duration.ofMillis(100));
	}

	@Test
	void whatIsSentAgainWaitsForAGapBetweenUsersRequests() {
		Duration gap = Duration.ofMillis(300);
		this.session = new Session(CATALOG, URI.create("http://gw.invalid"), () -> RunFixture.CLAIM, "chat-service",
				this.budget, Mono.delay(gap, this.time).then());
		assertThat(send((n) -> (n < 1) ? answer(421) : answer(200)).status()).isEqualTo(200);
		assertThat(this.sentAt).containsExactly(Duration.ZERO, gap.plusMillis(10));
	}

	@Test
	void afterTwentyTimesAnotherInstanceIsTheAnswer() {
		assertThat(send((n) -> answer(421)).status()).isEqualTo(421);
		assertThat(this.sentAt).hasSize(21);
	}

	@ParameterizedTest
	@CsvSource({ "0, 100", "1, 1000", "3, 3000", "3600, 5000", "'Wed, 21 Oct 2026 07:28:00 GMT', 5000", "-1, 5000" })
	void aBusyGatewayGetsTheRequestAgainAfterTheTimeItStatesAndAtMostTwiceThat(String retryAfter, long least) {
		assertThat(send((n) -> (n == 0) ? answer(429, "Retry-After", retryAfter) : answer(200)).status())
			.isEqualTo(200);
		assertThat(this.sentAt).hasSize(2);
		assertThat(this.sentAt.get(1)).isBetween(Duration.ofMillis(least), Duration.ofMillis(2 * least));
	}

	@Test
	void theWaitsGrowALittleAndDoNotCount() {
		List<Duration> left = new ArrayList<>();
		send((n) -> {
			left.add(this.budget.remaining());
			return (n < 100) ? answer(429, "Retry-After", "1") : answer(200);
		});
		assertThat(this.sentAt.get(20).minus(this.sentAt.get(4))).isBetween(Duration.ofSeconds(16 * 2),
				Duration.ofSeconds(16 * 4));
		assertThat(this.sentAt.get(100)).isGreaterThan(BUDGET);
		assertThat(left).hasSize(101).containsOnly(BUDGET);
	}

	@Test
	void aGatewayThatIsBusyForEverIsGivenUpAfterTwentyTimesTheBudget() {
		assertThat(send((n) -> answer(429, "Retry-After", "1")).status()).isEqualTo(429);
		assertThat(this.sentAt.get(this.sentAt.size() - 1)).isBetween(BUDGET.multipliedBy(20),
				BUDGET.multipliedBy(21).plusSeconds(4));
	}

	@ParameterizedTest
	@CsvSource({ "429, 60", "421, 60", "421, 59.995" })
	void aRejectionAtTheEndOfTheBudgetIsNoAnswer(int status, double seconds) {
		assertThat(send((n) -> {
			this.time.advanceTimeBy(Duration.ofNanos(Math.round(seconds * 1e9)));
			return answer(status, "Retry-After", "1");
		})).isNull();
		assertThat(this.sentAt).hasSize(1);
	}

	@Test
	void stoppingEndsTheWaitWithoutAnAnswer() {
		CompletableFuture<Answer> result = sending((n) -> answer(429, "Retry-After", "1"), false).toFuture();
		this.time.advanceTimeBy(Duration.ofMillis(500));
		assertThat(result).isNotDone();
		this.budget.stop();
		assertThat(result).isCompletedWithValue(null);
		assertThat(this.sentAt).hasSize(1);
	}

	@Test
	void whatCleansUpIsSentAgainUpToThreeTimesThoughTheBudgetIsOver() {
		this.budget.stop();
		assertThat(send((n) -> (n == 0) ? answer(429, "Retry-After", "1") : answer(200), true).status()).isEqualTo(200);
		assertThat(this.sentAt.get(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
		this.sentAt.clear();
		assertThat(send((n) -> answer(429, "Retry-After", "0"), true).status()).isEqualTo(429);
		assertThat(this.sentAt).hasSize(4);
	}

	@ParameterizedTest
	@CsvSource({ "3, 2, 2", "3, 8, 8", "3, 10, 8", "0, 10, 5", "0, 2, 2" })
	void aRequestMayTakeItsTimeoutButEndsFiveSecondsAfterTheBudget(long remaining, long timeout, long limit) {
		assertThat(Replayer.limit(Duration.ofSeconds(remaining), Duration.ofSeconds(timeout)))
			.isEqualTo(Duration.ofSeconds(limit));
	}

	@Test
	void whatFailsAfterTheTimeoutIsNotLoggedAsAnError() {
		Mono<ClientResponse> late = Mono.<ClientResponse>never()
			.transformDeferredContextual((never, context) -> never.doOnCancel(() -> Operators
				.onErrorDropped(new IllegalStateException("released already"), Context.of(context))));
		WebClient client = WebClient.builder().exchangeFunction((request) -> late).build();
		try (CapturedLog log = CapturedLog.of(Operators.class)) {
			StepVerifier
				.create(Replayer.once(client.get().uri(this.session.gateway()), this.session, Duration.ofMillis(50),
						false))
				.expectErrorMessage("no answer within 50 ms")
				.verify(TIMEOUT);
			assertThat(log.lines()).isEmpty();
		}
	}

	@Test
	void whatIsSentAgainHasAClaimThatIsValidThen() {
		List<String> claims = new ArrayList<>();
		WebClient client = WebClient.builder().exchangeFunction((request) -> {
			claims.add(request.headers().getFirst(WarmupClaim.HEADER));
			return Mono.just(ClientResponse.create(HttpStatus.OK).build());
		}).build();
		Iterator<WarmupClaim> signed = List
			.of(new WarmupClaim("host:1", Optional.empty(), "r-1"), new WarmupClaim("host:1", Optional.empty(), "r-2"))
			.iterator();
		Session signing = new Session(CATALOG, URI.create("http://gw.invalid"), signed::next, "chat-service",
				this.budget, Mono.empty());
		Mono<Answer> once = Replayer.once(client.get().uri(signing.gateway()), signing, TIMEOUT, false);
		StepVerifier.create(once.then(once)).expectNextCount(1).expectComplete().verify(TIMEOUT);
		assertThat(claims).hasSize(2).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatHasNoAnswerFiveSecondsAfterTheBudgetIsCanceledUnlessItCleansUp(boolean cleanup) {
		WebClient client = WebClient.builder().exchangeFunction((request) -> Mono.never()).build();
		this.budget.stop();
		StepVerifier.Step<Answer> unanswered = StepVerifier
			.withVirtualTime(() -> Replayer.once(client.get().uri(this.session.gateway()), this.session,
					Duration.ofSeconds(20), cleanup))
			.expectSubscription()
			.expectNoEvent(Duration.ofSeconds(5));
		(cleanup ? unanswered.expectErrorMessage("no answer within 5000 ms") : unanswered.expectComplete())
			.verify(TIMEOUT);
	}

	private Answer send(IntFunction<Answer> answers) {
		return send(answers, false);
	}

	private Answer send(IntFunction<Answer> answers, boolean cleanup) {
		CompletableFuture<Answer> result = sending(answers, cleanup).toFuture();
		this.time.advanceTimeBy(Duration.ofHours(1));
		assertThat(result).isDone();
		return result.join();
	}

	private Mono<Answer> sending(IntFunction<Answer> answers, boolean cleanup) {
		Mono<Answer> once = Mono.fromSupplier(() -> {
			this.sentAt.add(Duration.ofNanos(this.time.now(TimeUnit.NANOSECONDS)));
			return answers.apply(this.sentAt.size() - 1);
		});
		return new Replayer(HttpClient.create(), this.time).resend(once, this.session, cleanup);
	}

	private static Answer answer(int status, String... headers) {
		HttpHeaders all = new HttpHeaders();
		for (int i = 0; i < headers.length; i += 2) {
			all.add(headers[i], headers[i + 1]);
		}
		return new Answer(status, all, Duration.ofMillis(1), Optional.of(""));
	}

}
