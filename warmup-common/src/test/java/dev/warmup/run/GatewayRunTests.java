package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class GatewayRunTests {

	private static final Catalog FIVE = Catalogs.of("""
			version: 1
			scenarios:
			  - { name: a, requests: [GET /a] }
			  - { name: b, requests: [GET /b] }
			  - { name: c, requests: [GET /c] }
			  - { name: d, requests: [GET /d] }
			  - { name: e, requests: [GET /e] }
			""");

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
	void aReportDryRunFollowsEveryFifthRound() {
		run(1, 12);
		assertThat(this.fixture.dryRuns).extracting(RunReport::phase).containsExactly(Phase.WARMING, Phase.WARMING);
		assertThat(this.fixture.dryRuns).extracting(RunReport::gate).containsOnly(GatePosition.CLOSED);
		assertThat(this.fixture.dryRuns).extracting((report) -> report.run().sent()).containsExactly(15L, 30L);
		assertThat(this.fixture.reports).isEmpty();
	}

	@Test
	void aDryRunWithoutAnAnswerEndsWithTheBudget() {
		this.budget = this.fixture.budget(Duration.ofSeconds(5));
		this.fixture.dryRun = Mono.never();
		RunRecord run = run(1, 12);
		assertThat(this.fixture.endedAt).isEqualTo(Duration.ofSeconds(5));
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
	}

	@Test
	void aStoppedRunSendsNoDryRun() {
		this.replayer.script = (scenario, session) -> {
			this.budget.stop();
			return RunFixture.answered(scenario);
		};
		run(1, 5);
		assertThat(this.fixture.dryRuns).isEmpty();
	}

	@Test
	void aStoppedRunDoesNotWaitForADryRun() {
		this.fixture.dryRun = Mono.<Void>never().doOnSubscribe((subscription) -> this.budget.stop());
		run(1, 5);
		assertThat(this.fixture.dryRuns).hasSize(1);
		assertThat(this.fixture.endedAt).isZero();
	}

	@Test
	void noMoreScenariosThanAllowedAreReplayedSideBySide() {
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofMillis(10), this.fixture.time);
		RunRecord run = run(RunFixture.plan(FIVE, 11), 3);
		assertThat(this.replayer.most).isEqualTo(3);
		assertThat(run.sent()).isEqualTo(55);
	}

	@Test
	void theFirstRoundGoesOneScenarioAtATime() {
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofMillis(10), this.fixture.time);
		run(RunFixture.plan(FIVE, 1), 3);
		assertThat(this.replayer.replayed).containsExactly("a", "b", "c", "d", "e");
		assertThat(this.replayer.most).isEqualTo(1);
	}

	@Test
	void aRoundBeginsWhenTheOneBeforeIsOver() {
		this.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.delaySubscription(Duration.ofMillis(scenario.name().equals("first") ? 1 : 100), this.fixture.time);
		run(2, 3);
		assertThat(this.replayer.replayed).containsExactly("first", "second", "first", "second", "first", "second");
	}

	@Test
	void aRunSlowsDownWhileAnswersFailAndNotAfter() {
		List<Duration> startedAt = new ArrayList<>();
		this.replayer.script = (scenario, session) -> {
			startedAt.add(Duration.ofNanos(this.fixture.nanoTime()));
			int n = startedAt.size();
			return (n == 2 || n == 3 || n == 4) ? RunFixture.unexpected(scenario, 503, false)
					: RunFixture.answered(scenario);
		};
		run(1, 3);
		assertThat(startedAt.stream().map(Duration::toMillis)).startsWith(0L, 0L, 200L).hasSize(6);
		assertThat(startedAt.get(3).minus(startedAt.get(2))).isEqualTo(Duration.ofMillis(400));
		assertThat(startedAt.get(4).minus(startedAt.get(3))).isEqualTo(Duration.ofMillis(1_600));
		assertThat(startedAt.get(5)).isEqualTo(startedAt.get(4));
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

	private RunRecord run(int concurrency, int repetitions) {
		return run(RunFixture.plan(RunFixture.CATALOG, repetitions), concurrency);
	}

	private RunRecord run(Plan plan, int concurrency) {
		return run(this.fixture.gatewayRun(concurrency), plan);
	}

	private RunRecord run(GatewayRun gatewayRun, Plan plan) {
		return this.fixture.run(gatewayRun, plan, this.budget);
	}

}
