package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Trigger;
import dev.warmup.plan.Plan;
import dev.warmup.record.Phase;
import dev.warmup.record.RequestRecord;
import dev.warmup.record.RunRecord;
import dev.warmup.record.Verdict;
import dev.warmup.replay.Budget;
import dev.warmup.replay.Outcome;
import dev.warmup.traffic.WarmupClaim;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class PassageTests {

	private final RunFixture fixture = new RunFixture();

	private final ScriptedReplayer replayer = this.fixture.replayer;

	private Budget budget = this.fixture.budget(Duration.ofMinutes(1));

	@Test
	void everyScenarioIsReplayedRoundByRound() {
		RunRecord run = run(1, 3);
		assertThat(this.replayer.replayed).containsExactly("first", "second", "first", "second", "first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).isEqualTo(9);
		assertThat(run.failed()).isZero();
		assertThat(run.reason()).isEmpty();
	}

	@Test
	void theClaimNamesInstanceAndRun() {
		run(1, 1);
		assertThat(this.replayer.sessions).allSatisfy((session) -> {
			assertThat(WarmupClaim.parse(session.claim())).contains(new WarmupClaim("host:1", "r-1"));
			assertThat(session.gateway()).isEqualTo(RunFixture.GATEWAY.uri());
		});
	}

	@Test
	void noMoreScenariosThanAllowedAreReplayedSideBySide() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: a, requests: [GET /a] }
				  - { name: b, requests: [GET /b] }
				  - { name: c, requests: [GET /c] }
				  - { name: d, requests: [GET /d] }
				  - { name: e, requests: [GET /e] }
				""");
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofMillis(10), this.fixture.time);
		RunRecord run = run(plan(catalog, 4), 3);
		assertThat(this.replayer.most).isEqualTo(3);
		assertThat(run.sent()).isEqualTo(20);
	}

	@Test
	void aRoundBeginsWhenTheOneBeforeIsOver() {
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofMillis(scenario.name().equals("first") ? 1 : 100), this.fixture.time);
		run(2, 3);
		assertThat(this.replayer.replayed).containsExactly("first", "second", "first", "second", "first", "second");
	}

	@Test
	void nothingElseIsSentUntilAServiceAnswersTheFirstRequest() {
		AtomicInteger tries = new AtomicInteger();
		this.replayer.script = (scenario, session) -> switch (tries.getAndIncrement()) {
			case 0 -> RunFixture.failed(scenario, "Connection refused");
			case 1 -> RunFixture.unexpected(scenario, 503, false);
			case 2 -> RunFixture.unexpected(scenario, 404, false);
			default -> RunFixture.answered(scenario);
		};
		RunRecord run = run(1, 2);
		assertThat(this.replayer.replayed).containsExactly("first", "first", "first", "first", "second", "first",
				"second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).as("attempts that found no way are no part of the run").isEqualTo(6);
		assertThat(this.fixture.notes.outcomes).hasSize(6);
	}

	@Test
	void anUnexpectedAnswerOfAServiceIsAWay() {
		this.replayer.script = (scenario, session) -> scenario.name().equals("first")
				? RunFixture.unexpected(scenario, 500, true) : RunFixture.answered(scenario);
		RunRecord run = run(1, 2);
		assertThat(this.replayer.replayed).containsExactly("first", "second", "first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.failed()).isEqualTo(2);
		assertThat(run.reason()).hasValue("GET /first 500 (expected 2xx)");
	}

	@Test
	void anAttemptWithoutAWaySendsOnlyWhatCleansUpAfterTheFirstRequest() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - { name: only, unsafe: true, requests: [POST /a, POST /b], finally: [DELETE /a] }
				""");
		AtomicInteger tries = new AtomicInteger();
		List<String> sent = new ArrayList<>();
		this.replayer.script = (scenario, session) -> replay(scenario, session.budget(),
				tries.getAndIncrement() == 0 ? "no answer within 2000 ms" : "", sent);
		RunRecord run = run(plan(catalog, 1), 1);
		assertThat(sent).containsExactly("POST /a", "DELETE /a", "POST /a", "POST /b", "DELETE /a");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).isEqualTo(3);
	}

	@Test
	void withoutAWayTheRunFailsWithinTheBudgetAndSaysWhatStoodInIt() {
		this.replayer.script = (scenario, session) -> RunFixture.failed(scenario, "Connection refused");
		RunRecord run = run(1, 3);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("GET /first through gateway gw-1: Connection refused");
		assertThat(run.sent()).isZero();
		assertThat(this.fixture.concludedAt()).isLessThan(Duration.ofMinutes(1));
		assertThat(this.fixture.notes.phases).as("nothing was warmed").isEmpty();
	}

	@Test
	void aRunThatIsStoppedWhileItWaitsSaysWhatStoodInItsWay() {
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, 503, false)
			.doOnComplete(this.budget::stop);
		RunRecord run = run(1, 3);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("GET /first through gateway gw-1: 503 (expected 2xx)");
	}

	@Test
	void theWaitDoesNotShortenTheReplay() {
		this.replayer.script = (scenario, session) -> (this.fixture.time.now(TimeUnit.SECONDS) < 50)
				? RunFixture.unexpected(scenario, 503, false)
				: RunFixture.answered(scenario).delaySubscription(Duration.ofSeconds(1), this.fixture.time);
		RunRecord run = run(1, 20);
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.fixture.concludedAt()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
	}

	@Test
	void aRunThatTheBudgetCutsIsTimedOut() {
		this.budget = this.fixture.budget(Duration.ofSeconds(5));
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofSeconds(1), this.fixture.time);
		RunRecord run = run(1, 100);
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(this.replayer.replayed).hasSize(5 + 1);
		assertThat(run.reason().orElseThrow()).matches("the budget was spent after \\d of 300 requests");
	}

	@Test
	void noRoundIsBegunOnceTheBudgetIsStopped() {
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario).doOnComplete(() -> {
			if (this.replayer.replayed.size() == 4) {
				this.budget.stop();
			}
		});
		RunRecord run = run(1, 100);
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.reason().orElseThrow()).matches("the run was stopped after \\d of 300 requests");
		assertThat(this.replayer.replayed).hasSize(4);
	}

	@Test
	void aRunWithoutAnyAnswerAsExpectedHasFailed() {
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, 401, true);
		RunRecord run = run(1, 2);
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.sent()).isEqualTo(6);
		assertThat(run.reason().orElseThrow()).startsWith("GET /first 401 (expected 2xx), GET /second/1 401")
			.contains("only the security filters were warmed");
	}

	@Test
	void theRunIsReportedToItsGatewayBeforeItCompletes() {
		RunRecord run = run(1, 1);
		assertThat(this.fixture.reportedTo).containsExactly(RunFixture.GATEWAY);
		assertThat(this.fixture.reports).singleElement().satisfies((report) -> {
			assertThat(report.service()).isEqualTo("chat-service");
			assertThat(report.instanceId()).isEqualTo("host:1");
			assertThat(report.phase()).isEqualTo(Phase.WARM);
			assertThat(report.run()).isEqualTo(run);
		});
	}

	@Test
	void aFailedRunIsReportedToo() {
		this.replayer.script = (scenario, session) -> RunFixture.unexpected(scenario, 503, false);
		run(1, 1);
		assertThat(this.fixture.reports).singleElement()
			.satisfies((report) -> assertThat(report.phase()).isEqualTo(Phase.FAILED));
	}

	@Test
	void theInstanceIsWarmingFromTheFirstAnswerOn() {
		this.replayer.script = (scenario, session) -> {
			if (this.replayer.replayed.size() == 2) {
				assertThat(this.fixture.state.phase().phase()).isEqualTo(Phase.WARMING);
			}
			return RunFixture.answered(scenario);
		};
		run(1, 2);
		assertThat(this.fixture.notes.phases).containsExactly(Phase.WARMING);
	}

	@Test
	void aListenerThatFailsDoesNotStopTheRun() {
		RunListener broken = new RunListener() {

			@Override
			public void onOutcome(Outcome outcome) {
				throw new IllegalStateException("a bug");
			}

		};
		Passage passage = new Passage(this.replayer, this.fixture.reporter, 1, List.of(broken, this.fixture.notes),
				this.fixture.state, this.fixture.clock, this.fixture.time);
		assertThat(run(passage, plan(RunFixture.CATALOG, 1)).verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.fixture.notes.outcomes).hasSize(3);
	}

	@Test
	void eachRequestHasItsOwnFigures() {
		RunRecord run = run(1, 2);
		assertThat(run.requests()).extracting(RequestRecord::name)
			.containsExactly("GET /first", "GET /second/1", "GET /second/2");
		assertThat(run.requests()).extracting(RequestRecord::sent).containsOnly(2L);
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

	private static Plan plan(Catalog catalog, int repetitions) {
		return Plan.of(catalog, "chat-service", Trigger.STARTUP, repetitions);
	}

	private RunRecord run(int concurrency, int repetitions) {
		return run(plan(RunFixture.CATALOG, repetitions), concurrency);
	}

	private RunRecord run(Plan plan, int concurrency) {
		return run(this.fixture.passage(concurrency), plan);
	}

	private RunRecord run(Passage passage, Plan plan) {
		List<RunRecord> runs = new ArrayList<>();
		StepVerifier
			.withVirtualTime(() -> passage.run("r-1", Trigger.STARTUP, plan, RunFixture.SELF, RunFixture.GATEWAY,
					this.budget, this.budget.remaining()), () -> this.fixture.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofMinutes(2))
			.consumeNextWith(runs::add)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		return runs.get(0);
	}

}
