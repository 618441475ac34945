package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RetriesTests {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Budget budget = Budget.start(Duration.ofMinutes(1), () -> this.time.now(TimeUnit.NANOSECONDS));

	private final List<Duration> attempts = new ArrayList<>();

	@Test
	void pausesGrowFromATenthOfASecondToTwoWithJitter() {
		verify(failing("no route")).thenAwait(Duration.ofMinutes(2))
			.expectError(NoRouteException.class)
			.verify(Duration.ofSeconds(30));
		List<Long> pauses = IntStream.range(1, this.attempts.size())
			.mapToObj((i) -> this.attempts.get(i).minus(this.attempts.get(i - 1)).toMillis())
			.toList();
		assertThat(pauses).hasSizeGreaterThan(20).allSatisfy((pause) -> assertThat(pause).isLessThanOrEqualTo(2_000));
		long base = 100;
		for (long pause : pauses.subList(0, 10)) {
			assertThat(pause).isBetween(Math.max(100, base / 2), base * 3 / 2);
			base = Math.min(2 * base, 2_000);
		}
		assertThat(pauses.stream().skip(5).distinct()).as("jitter").hasSizeGreaterThan(2);
	}

	@Test
	void itGivesUpWithTheReasonWhenTheBudgetIsSpent() {
		verify(failing("no route")).thenAwait(Duration.ofMinutes(2))
			.expectErrorMessage("no route")
			.verify(Duration.ofSeconds(30));
		assertThat(this.attempts.get(this.attempts.size() - 1)).isBetween(Duration.ofSeconds(57),
				Duration.ofSeconds(60));
	}

	@Test
	void anAttemptThatTheBudgetCutsKeepsTheReasonOfTheAttemptsBefore() {
		verify(thenCut("closed")).thenAwait(Duration.ofMinutes(2))
			.expectErrorMessage("closed; then no answer")
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void anAttemptThatTheBudgetCutsIsTheReasonWhereThereWasNoOther() {
		verify(thenCut()).thenAwait(Duration.ofMinutes(2))
			.expectErrorMessage("no answer")
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void itEndsOnceThereIsARoute() {
		AtomicInteger tries = new AtomicInteger();
		Mono<String> third = Mono.defer(() -> (tries.incrementAndGet() < 3)
				? Mono.error(new NoRouteException("no route")) : Mono.just("through"));
		verify(third).thenAwait(Duration.ofMinutes(2))
			.expectNext("through")
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void stoppingEndsTheWaitAfterThePauseWithoutAnotherAttempt() {
		verify(failing("no route")).then(this.budget::stop)
			.thenAwait(Duration.ofSeconds(1))
			.expectErrorMessage("no route")
			.verify(Duration.ofSeconds(30));
		assertThat(this.attempts).hasSize(1);
	}

	@Test
	void otherErrorsPassThroughAtOnce() {
		verify(Mono.error(new IllegalStateException("a bug"))).expectErrorMessage("a bug")
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void theReasonIsLoggedAgainOnlyWhenItChanges() {
		AtomicInteger tries = new AtomicInteger();
		List<String> reasons = List.of("closed", "closed", "closed", "cold", "cold", "closed");
		Mono<String> changing = Mono.defer(() -> {
			int next = tries.getAndIncrement();
			return (next < reasons.size()) ? Mono.error(new NoRouteException(reasons.get(next))) : Mono.just("through");
		});
		try (CapturedLog log = CapturedLog.of(Retries.class)) {
			verify(changing).thenAwait(Duration.ofMinutes(1))
				.expectNext("through")
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			assertThat(log.lines()).hasSize(3);
			assertThat(log.lines().get(0))
				.isEqualTo("INFO Waiting for a route through the gateway for at most 60 s: closed");
			assertThat(log.lines().get(1)).endsWith(": cold");
			assertThat(log.lines().get(2)).endsWith(": closed");
		}
	}

	private Mono<String> failing(String reason) {
		return Mono.defer(() -> {
			this.attempts.add(Duration.ofNanos(this.time.now(TimeUnit.NANOSECONDS)));
			return Mono.error(new NoRouteException(reason));
		});
	}

	private Mono<String> thenCut(String... reasons) {
		Iterator<String> before = List.of(reasons).iterator();
		return Mono.defer(() -> before.hasNext() ? Mono.error(new NoRouteException(before.next()))
				: Mono.delay(this.budget.remaining(), this.time).then(Mono.error(NoRouteException.cut("no answer"))));
	}

	private <T> StepVerifier.Step<T> verify(Mono<T> attempt) {
		return StepVerifier
			.withVirtualTime(() -> attempt.retryWhen(Retries.untilRouted(this.budget, this.time)), () -> this.time,
					Long.MAX_VALUE)
			.expectSubscription();
	}

}
