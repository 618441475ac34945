package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import dev.warmup.CapturedLog;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RequestSenderTests {

	private static final Duration BUDGET = Duration.ofSeconds(60);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Budget budget = Budget.start(BUDGET, () -> this.time.now(TimeUnit.NANOSECONDS));

	private final List<Duration> sentAt = new ArrayList<>();

	private final Session session = new Session(new Catalog("", Map.of(), List.of()), URI.create("http://gw.invalid"),
			() -> ReplayFixture.CLAIM, "chat-service", this.budget);

	@Test
	void anyOtherAnswerIsTakenAtOnce() {
		assertThat(send((n) -> answer(503, "Retry-After", "1"))).isInstanceOfSatisfying(Reply.Answer.class,
				(answer) -> assertThat(answer.status()).isEqualTo(503));
		assertThat(this.sentAt).containsExactly(Duration.ZERO);
	}

	@Test
	void aRequestThatAnotherInstanceTurnedAwayIsSentAgainAtOnce() {
		assertThat(send((n) -> (n < 3) ? answer(421) : answer(200))).isInstanceOfSatisfying(Reply.Answer.class,
				(answer) -> assertThat(answer.status()).isEqualTo(200));
		assertThat(this.sentAt).hasSize(4);
		assertThat(this.sentAt.get(3)).isLessThan(Duration.ofMillis(100));
	}

	@Test
	void afterTwentyTimesAnotherInstanceIsTheAnswer() {
		assertThat(send((n) -> answer(421))).isInstanceOfSatisfying(Reply.Answer.class,
				(answer) -> assertThat(answer.status()).isEqualTo(421));
		assertThat(this.sentAt).hasSize(21);
	}

	@Test
	void whatTheInstanceItselfAnswersIsFinal() {
		send((n) -> answer(421, WarmupClaim.INSTANCE_HEADER, "host:1"));
		send((n) -> answer(429, WarmupClaim.INSTANCE_HEADER, "host:1", "Retry-After", "1"));
		assertThat(this.sentAt).hasSize(2);
	}

	@Test
	void aLimitThatDoesNotSayWhenToComeAgainIsFinal() {
		send((n) -> answer(429));
		assertThat(this.sentAt).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "0, 100", "1, 1000", "3, 3000", "3600, 5000", "'Wed, 21 Oct 2026 07:28:00 GMT', 5000", "-1, 5000" })
	void aBusyGatewayIsAskedAgainAfterTheTimeItAsksForAndAtMostTwiceThat(String retryAfter, long least) {
		assertThat(send((n) -> (n == 0) ? answer(429, "Retry-After", retryAfter) : answer(200)))
			.isInstanceOfSatisfying(Reply.Answer.class, (answer) -> assertThat(answer.status()).isEqualTo(200));
		assertThat(this.sentAt).hasSize(2);
		assertThat(this.sentAt.get(1)).isBetween(Duration.ofMillis(least), Duration.ofMillis(2 * least));
	}

	@Test
	void theWaitsGrowALittle() {
		send((n) -> (n < 20) ? answer(429, "Retry-After", "1") : answer(200));
		assertThat(this.sentAt.get(20).minus(this.sentAt.get(4))).isBetween(Duration.ofSeconds(16 * 2),
				Duration.ofSeconds(16 * 4));
		assertThat(this.sentAt.get(1)).isLessThanOrEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void theWaitDoesNotCount() {
		List<Duration> left = new ArrayList<>();
		send((n) -> {
			left.add(this.budget.remaining());
			return (n < 100) ? answer(429, "Retry-After", "1") : answer(200);
		});
		assertThat(this.sentAt.get(100)).isGreaterThan(BUDGET);
		assertThat(left).hasSize(101).containsOnly(BUDGET);
	}

	@Test
	void aGatewayThatIsBusyForEverIsGivenUpAfterTwentyTimesTheBudget() {
		assertThat(send((n) -> answer(429, "Retry-After", "1"))).isInstanceOfSatisfying(Reply.Answer.class,
				(answer) -> assertThat(answer.status()).isEqualTo(429));
		assertThat(this.sentAt.get(this.sentAt.size() - 1)).isBetween(BUDGET.multipliedBy(20),
				BUDGET.multipliedBy(21).plusSeconds(4));
	}

	@Test
	void stoppingEndsTheWait() {
		List<Reply> replies = new ArrayList<>();
		sending((n) -> answer(429, "Retry-After", "1"), false).subscribe(replies::add);
		this.time.advanceTimeBy(Duration.ofMillis(500));
		this.budget.stop();
		assertThat(replies).singleElement().isInstanceOf(Reply.GivenUp.class);
		assertThat(this.sentAt).hasSize(1);
	}

	@Test
	void whatCleansUpIsSentAgainThoughTheBudgetIsOver() {
		this.budget.stop();
		assertThat(send((n) -> (n == 0) ? answer(429, "Retry-After", "1") : answer(200), true))
			.isInstanceOfSatisfying(Reply.Answer.class, (answer) -> assertThat(answer.status()).isEqualTo(200));
	}

	@Test
	void whatCleansUpIsGivenUpAfterThreeTimesMoreOnceTheBudgetIsOver() {
		this.budget.stop();
		assertThat(send((n) -> answer(429, "Retry-After", "0"), true)).isInstanceOf(Reply.Answer.class);
		assertThat(this.sentAt).hasSize(4);
	}

	@Test
	void whatFailsAfterTheTimeoutIsNotLoggedAsAnError() {
		Mono<ClientResponse> late = Mono.<ClientResponse>never()
			.transformDeferredContextual((never, context) -> never.doOnCancel(() -> Operators
				.onErrorDropped(new IllegalStateException("released already"), Context.of(context))));
		WebClient client = WebClient.builder().exchangeFunction((request) -> late).build();
		try (CapturedLog log = CapturedLog.of(Operators.class)) {
			StepVerifier
				.create(new RequestSender(Schedulers.parallel()).send(client.get().uri(this.session.gateway()),
						this.session, Duration.ofMillis(50), false))
				.expectNext(new Reply.Silence("no answer within 50 ms"))
				.expectComplete()
				.verify(ReplayFixture.PATIENCE);
			assertThat(log.lines()).isEmpty();
		}
	}

	private Reply send(IntFunction<Reply> replies) {
		return send(replies, false);
	}

	private Reply send(IntFunction<Reply> replies, boolean cleanup) {
		List<Reply> result = new ArrayList<>();
		StepVerifier.withVirtualTime(() -> sending(replies, cleanup), () -> this.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofHours(1))
			.consumeNextWith(result::add)
			.expectComplete()
			.verify(ReplayFixture.PATIENCE);
		return result.get(0);
	}

	private Mono<Reply> sending(IntFunction<Reply> replies, boolean cleanup) {
		Mono<Reply> once = Mono.fromSupplier(() -> {
			this.sentAt.add(Duration.ofNanos(this.time.now(TimeUnit.NANOSECONDS)));
			return replies.apply(this.sentAt.size() - 1);
		});
		return new RequestSender(this.time).resend(once, this.session, cleanup);
	}

	private static Reply answer(int status, String... headers) {
		HttpHeaders all = new HttpHeaders();
		for (int i = 0; i < headers.length; i += 2) {
			all.add(headers[i], headers[i + 1]);
		}
		return new Reply.Answer(status, all, Duration.ofMillis(1), Optional.of(""));
	}

}
