package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Retries.NoRouteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** How a run finds a route to its own instance, and its reason where there is none. */
class RouteTests extends RunFixture {

	private static final Catalog THREE_SCENARIOS = Catalogs.ofScenarios("{ name: first, requests: [GET /first] }",
			"{ name: second, requests: [GET /second] }", "{ name: third, requests: [GET /third] }");

	@Test
	void scenariosAreTriedByTurnsUntilAServiceAnswersAFirstRequest() {
		this.repetitions = 2;
		this.script = (scenario, session) -> switch (this.replayed.size()) {
			case 1 -> unexpected(scenario, 502, false);
			case 2 -> unexpected(scenario, 503, false);
			case 3 -> unexpected(scenario, 404, false);
			case 4 -> unexpected(scenario, 200, false);
			default -> answered(scenario);
		};
		RunRecord run = run();
		assertThat(this.replayed).containsExactly("first", "second", "first", "second", "first", "second", "first",
				"second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).as("attempts that found no route are no part of the run").isEqualTo(6);
		assertThat(this.notes.outcomes).hasSize(6);
	}

	@Test
	void aFirstRequestThatIsNeverAnsweredDoesNotKeepTheOthersFromBeingSent() {
		this.repetitions = 10;
		this.catalogs = () -> THREE_SCENARIOS;
		this.script = (scenario, session) -> switch (scenario.name()) {
			case "first" ->
				failed(scenario, "no answer within 2000 ms").delaySubscription(Duration.ofSeconds(2), this.time);
			case "second" -> (this.replayed.size() < 3) ? unexpected(scenario, 500, true) : answered(scenario);
			default -> answered(scenario);
		};
		RunRecord run = run();
		assertThat(this.replayed.subList(0, 7)).containsExactly("first", "second", "third", "first", "second", "second",
				"third");
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.reason()).hasValue("GET /first no answer within 2000 ms");
		assertThat(run.requests()).extracting(RunRecord.Request::sent).containsExactly(1L, 10L, 10L);
	}

	@Test
	void aFirstRequestThatWasOnlySlowIsTriedAgain() {
		this.script = (scenario, session) -> (this.replayed.size() == 1)
				? failed(scenario, "no answer within 10 s").delaySubscription(Duration.ofSeconds(10), this.time)
				: scenario.name().equals("first") ? answered(scenario) : unexpected(scenario, 500, true);
		run();
		assertThat(this.replayed.subList(0, 3)).containsExactly("first", "second", "first");
	}

	@Test
	void anotherScenarioFindsARouteOnlyByAnAnswerOfTheInstance() {
		this.script = (scenario, session) -> scenario.name().equals("first") ? unexpected(scenario, 503, false)
				: (this.replayed.size() % 4 == 0) ? unexpected(scenario, 401, false)
						: Flux.fromIterable(scenario.requests())
							.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(5),
									Optional.empty(), false));
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("GET /first through gateway gw-1: 503 (expected 2xx)");
		assertThat(run.sent()).isZero();
		assertThat(this.replayed).hasSizeGreaterThan(20);
	}

	@Test
	void pausesGrowFromATenthOfASecondToTwoWithJitterUntilTheBudgetIsSpent() {
		List<Duration> attempts = new ArrayList<>();
		this.check = (gateway) -> {
			attempts.add(Duration.ofNanos(nanoTime()));
			return pending("gateway gw-1 does not know host:1 yet");
		};
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("gateway gw-1 does not know host:1 yet");
		assertThat(this.replayed).isEmpty();
		List<Long> pauses = IntStream.range(1, attempts.size())
			.mapToObj((i) -> attempts.get(i).minus(attempts.get(i - 1)).toMillis())
			.toList();
		assertThat(pauses).hasSizeGreaterThan(20).allSatisfy((pause) -> assertThat(pause).isLessThanOrEqualTo(2_000));
		long base = 100;
		for (long pause : pauses.subList(0, 10)) {
			assertThat(pause).isBetween(Math.max(100, base / 2), base * 3 / 2);
			base = Math.min(2 * base, 2_000);
		}
		assertThat(pauses.stream().skip(5).distinct()).as("jitter").hasSizeGreaterThan(2);
		assertThat(attempts.get(pauses.size())).isBetween(Duration.ofSeconds(57), Duration.ofSeconds(60));
		assertThat(this.endedAt).isLessThanOrEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void theReasonIsLoggedAgainOnlyWhenItChanges() {
		List<String> reasons = List.of("closed", "closed", "closed", "cold", "cold", "closed");
		this.check = (gateway) -> (this.checks.size() <= reasons.size()) ? pending(reasons.get(this.checks.size() - 1))
				: Mono.empty();
		try (CapturedLog log = CapturedLog.of(Retries.class)) {
			run();
			assertThat(log.lines()).hasSize(3);
			assertThat(log.lines().get(0))
				.isEqualTo("INFO Waiting for a route through the gateway for at most 60 s: closed");
			assertThat(log.lines().get(1)).endsWith(": cold");
			assertThat(log.lines().get(2)).endsWith(": closed");
		}
	}

	/** It would route them to any instance, {@code finally} requests included. */
	@Test
	void nothingIsSentThroughAGatewayThatVerifiesNoClaimsUntilItDoes() {
		this.check = (gateway) -> Mono.error(new GatewayClient.UnsupportedException("it has no warmup-common"));
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("it has no warmup-common");
		assertThat(run.sent()).isZero();
		assertThat(this.replayed).isEmpty();
		int before = this.checks.size();
		this.check = (gateway) -> (this.checks.size() < before + 5)
				? Mono.error(new GatewayClient.UnsupportedException("it has no warmup-common")) : Mono.empty();
		assertThat(run().verdict()).isEqualTo(Verdict.WARM);
	}

	@ParameterizedTest
	@CsvSource({ "0, GET /first through gateway gw-1:",
			"2, GET /first through gateway gw-1: 503 (expected 2xx); the last attempt had" })
	void theReasonOfTheAttemptsBeforeIsKeptWhereTheBudgetCutsTheLast(int before, String reason) {
		this.script = (scenario, session) -> (this.replayed.size() <= before) ? unexpected(scenario, 503, false)
				: Flux.<Outcome>just(new Outcome.Canceled(scenario, scenario.requests().get(0)))
					.delaySubscription(session.budget().remaining(), this.time);
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue(reason + " no answer before the budget was spent");
		assertThat(this.endedAt).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void whatAGatewayDecidesForItselfIsNotWaitedFor() {
		this.repetitions = 2;
		this.script = (scenario, session) -> unexpected(scenario, 401, false);
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.sent()).isEqualTo(6);
		assertThat(this.endedAt).isZero();
		assertThat(run.reason().orElseThrow()).contains("give the catalog credentials");
	}

	@Test
	void anUnexpectedAnswerOfAServiceIsARoute() {
		this.repetitions = 2;
		this.script = (scenario, session) -> scenario.name().equals("first") ? unexpected(scenario, 500, true)
				: answered(scenario);
		RunRecord run = run();
		assertThat(this.replayed).containsExactly("first", "second", "first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.failed()).isEqualTo(2);
		assertThat(run.reason()).hasValue("GET /first 500 (expected 2xx)");
	}

	@Test
	void anAttemptWithoutARouteSendsOnlyCleanupAfterTheFirstRequest() {
		this.catalogs = () -> Catalogs
			.ofScenarios("{ name: only, unsafe: true, requests: [POST /a, POST /b], finally: [DELETE /a] }");
		List<String> sent = new ArrayList<>();
		this.script = (scenario, session) -> replay(scenario, session.budget(),
				this.replayed.size() == 1 ? "no answer within 2000 ms" : "", sent);
		RunRecord run = run();
		assertThat(sent).containsExactly("POST /a", "DELETE /a", "POST /a", "POST /b", "DELETE /a");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).isEqualTo(3);
	}

	/** As the real one does: requests while the budget lasts, then what cleans up. */
	private static Flux<Outcome> replay(Scenario scenario, Budget budget, String problem, List<String> sent) {
		Flux<Outcome> requests = Flux.fromIterable(scenario.requests())
			.takeWhile((request) -> !budget.isOver())
			.concatMap((request) -> Mono.fromSupplier(() -> {
				sent.add(request.name());
				return problem.isEmpty() ? new Outcome.Answered(scenario, request, Duration.ofMillis(1))
						: new Outcome.Failed(scenario, request, problem);
			}), 0);
		return requests.concatWith(Flux.fromIterable(scenario.cleanup())
			.doOnNext((request) -> sent.add(request.name()))
			.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(1))));
	}

	@Test
	void aBudgetThatEndsBeforeTheFirstRequestLeavesNoRoute() {
		this.check = (gateway) -> Mono.delay(this.budget.plusSeconds(1), this.time).then();
		this.script = (scenario, session) -> session.budget().isOver() ? Flux.empty() : answered(scenario);
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValueSatisfying((reason) -> assertThat(reason)
			.endsWith("GET /first through gateway gw-1: no answer before the budget was spent"));
	}

	@Test
	void aRunThatIsStoppedWhileItWaitsFailsWithTheReasonAndChangesNothing() {
		WarmupRunner runner = runner();
		this.script = (scenario, session) -> unexpected(scenario, 503, false).doOnComplete(runner::stop);
		assertThat(run(runner, Trigger.STARTUP)).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.reason())
				.hasValue("GET /first through gateway gw-1: 503 (expected 2xx); the run was stopped");
		});
		assertThat(this.replayed).hasSize(1);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.COLD);
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void theWaitDoesNotShortenTheReplay() {
		this.repetitions = 20;
		this.script = (scenario, session) -> (this.time.now(TimeUnit.SECONDS) < 50) ? unexpected(scenario, 503, false)
				: answeredAfter(scenario, Duration.ofSeconds(1));
		assertThat(run().verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.endedAt).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
	}

	private static Mono<Void> pending(String reason) {
		return Mono.error(new NoRouteException(reason));
	}

}
