package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The replay through one gateway once there is a route. */
class GatewayRunTests extends RunFixture {

	@ParameterizedTest
	@CsvSource({ "1, 0", "2, 100" })
	void everyScenarioIsReplayedRoundByRoundHoweverLongOneTakes(int concurrency, long millis) {
		this.concurrency = concurrency;
		this.repetitions = 3;
		this.script = (scenario, session) -> answeredAfter(scenario,
				Duration.ofMillis(scenario.name().equals("first") ? 1 : millis));
		RunRecord run = run();
		assertThat(this.replayed).containsExactly("first", "second", "first", "second", "first", "second");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.sent()).isEqualTo(9);
		assertThat(run.failed()).isZero();
		assertThat(run.reason()).isEmpty();
		assertThat(history("phase")).containsExactly("phase WARMING", "phase WARM");
	}

	@ParameterizedTest
	@CsvSource({ "5, 1", "6, 2", "16, 3" })
	void theFirstRoundGoesOneScenarioAtATimeAndLaterOnesAsManyAsAreAllowed(int repetitions, int most) {
		this.catalogs = () -> Catalogs.ofScenarios(Stream.of("a", "b", "c", "d", "e")
			.map("{ name: %1$s, requests: [GET /%1$s] }"::formatted)
			.toArray(String[]::new));
		this.repetitions = repetitions;
		this.concurrency = 3;
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofMillis(10));
		assertThat(run().sent()).isEqualTo(5 * repetitions);
		assertThat(this.replayed).startsWith("a", "b", "c", "d", "e");
		assertThat(this.most).isEqualTo(most);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_500_000_000, Integer.MAX_VALUE })
	void aRunWhoseRepetitionsHaveHardlyABoundEndsWhenItIsSteady(int maxRepetitions) {
		this.catalogs = () -> Catalogs.ofScenarios("{ name: light, requests: [GET /light] }",
				"{ name: heavy, weight: 3, requests: [GET /heavy] }");
		this.maxRepetitions = maxRepetitions;
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofSeconds(1));
		assertThat(run().verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.replayed).containsExactly("light", "heavy", "heavy");
	}

	@Test
	void aRunWithFewerRepetitionsThanTheWindowHasAnswersIsNeverWarm() {
		this.maxRepetitions = 5;
		this.criteria = new RunSettings.SteadyCriteria(1_000, 1_000, 6, 1_000, 1_000_000, 1_000);
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.reason().orElseThrow()).startsWith("all 5 repetitions were sent before all was steady: ")
			.contains("GET /first had 5 of the 6 answers that are needed");
	}

	@Test
	void aReportDryRunFollowsEveryFifthRound() {
		this.repetitions = 12;
		run();
		assertThat(this.dryRuns).extracting(RunReport::phase).containsExactly(Phase.WARMING, Phase.WARMING);
		assertThat(this.dryRuns).extracting(RunReport::gate).containsOnly(Gate.Position.CLOSED);
		assertThat(this.dryRuns).extracting((report) -> report.run().sent()).containsExactly(15L, 30L);
		assertThat(this.reports).hasSize(1);
	}

	@Test
	void noReportDryRunFollowsARoundInWhichNothingWasDue() {
		this.repetitions = 10;
		this.catalogs = () -> Catalogs.ofScenarios("{ name: heavy, weight: 9, requests: [GET /heavy] }",
				"{ name: light, weight: 1, requests: [GET /light] }");
		this.script = (scenario, session) -> scenario.name().equals("light") ? answered(scenario)
				: failed(scenario, "no answer within 2000 ms");
		RunRecord run = run();
		assertThat(run.requests()).extracting(RunRecord.Request::sent).as("of 18 rounds").containsExactly(2L, 2L);
		assertThat(this.dryRuns).hasSize(1);
	}

	@Test
	void aDryRunWithoutAnAnswerEndsWithTheBudget() {
		this.repetitions = 12;
		this.budget = Duration.ofSeconds(5);
		this.dryRun = Mono.never();
		assertThat(run().verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(this.endedAt).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void aStoppedRunNeitherSendsNorAwaitsADryRun() {
		this.repetitions = 5;
		WarmupRunner runner = runner();
		this.dryRun = Mono.<Void>never().doOnSubscribe((subscription) -> runner.stop());
		run(runner, Trigger.STARTUP);
		assertThat(this.dryRuns).hasSize(1);
		assertThat(this.endedAt).isZero();
		this.script = (scenario, session) -> answered(scenario).doOnComplete(runner::stop);
		run(runner, Trigger.STARTUP);
		assertThat(this.dryRuns).hasSize(1);
	}

	@Test
	void aRunSlowsDownWhileAnswersFailAndNotAfter() {
		this.repetitions = 3;
		this.script = (scenario, session) -> switch (this.replayed.size()) {
			case 2, 3, 4 -> unexpected(scenario, 503, false);
			default -> answered(scenario);
		};
		run();
		assertThat(this.startedAt).extracting(Duration::toMillis).containsExactly(0L, 0L, 200L, 600L, 2_200L, 2_200L);
	}

	@Test
	void theNextGatewayBeginsAtOnceWhereTheFirstFails() {
		this.gateways = Mono.just(gateways(2));
		this.check = (gateway) -> gateway.equals(GATEWAY) ? Mono.error(new IllegalStateException("broken"))
				: Mono.empty();
		runner().run(Trigger.STARTUP).subscribe();
		pass(Duration.ofMillis(100));
		assertThat(this.replayed).isNotEmpty();
	}

	@Test
	void aListenerThatFailsDoesNotStopTheRun() {
		RunListener throwing = Mockito.mock(RunListener.class, (call) -> {
			throw new IllegalStateException("a bug");
		});
		try (CapturedLog log = CapturedLog.of(Listeners.class)) {
			assertThat(run(runner(throwing), Trigger.STARTUP).get(0).verdict()).isEqualTo(Verdict.WARM);
			assertThat(log.lines()).hasSizeGreaterThan(1).allMatch((line) -> line.endsWith("failed, and is ignored"));
		}
	}

}
