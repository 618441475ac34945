package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.warmup.MutableClock;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RoundsTests {

	private static final Scenario FIRST = RunFixture.CATALOG.scenarios().get(0);

	private static final Scenario SECOND = RunFixture.CATALOG.scenarios().get(1);

	private final RunFixture fixture = new RunFixture();

	private final Plan plan = RunFixture.plan(RunFixture.CATALOG, 5);

	private final SteadyCriteria criteria = new SteadyCriteria(0.1, 0.3, 10, 0.5, 50);

	private final RunRecorder recorder = new RunRecorder("r", Trigger.STARTUP, "gw", this.plan, this.criteria,
			new MutableClock());

	private Duration jit = Duration.ZERO;

	private final Rounds rounds = rounds(1);

	@Test
	void theLeastNumberOfRoundsGoesWhateverIsMeasured() {
		for (int round = 0; round < 5; round++) {
			assertThat(this.rounds.has(round)).isTrue();
			assertThat(this.rounds.round(round)).containsExactly(FIRST, SECOND);
		}
	}

	@Test
	void aScenarioThatIsSteadyIsNotSentWhileOthersGoOn() {
		List<Integer> sizes = new ArrayList<>();
		for (int round = 0; this.rounds.has(round); round++) {
			for (Scenario scenario : this.rounds.round(round)) {
				answer(scenario, scenario.equals(FIRST) ? 5 : Math.max(5, 100 - 5 * round));
			}
			sizes.add(this.rounds.round(round).size());
			this.fixture.time.advanceTimeBy(Duration.ofMillis(200));
		}
		assertThat(sizes.subList(0, 10)).containsOnly(2);
		assertThat(sizes).endsWith(1).contains(1);
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.requests().get(0).sent()).isLessThan(run.requests().get(1).sent());
	}

	@Test
	void nothingIsLeftOutWhileAJvmIsBusy() {
		for (int round = 0; round < 50; round++) {
			assertThat(this.rounds.has(round)).isTrue();
			assertThat(this.rounds.round(round)).containsExactly(FIRST, SECOND);
			this.rounds.round(round).forEach((scenario) -> answer(scenario, 5));
			this.fixture.time.advanceTimeBy(Duration.ofMillis(200));
			this.jit = this.jit.plusMillis(180);
		}
		assertThat(this.recorder.finished().reason().orElseThrow())
			.endsWith("before all was steady: the compiler of me took 90 % of its processors");
	}

	@Test
	void aGatewayThatIsBusyCountsLikewise() {
		for (int round = 0; round < 50; round++) {
			assertThat(this.rounds.has(round)).isTrue();
			for (Scenario scenario : this.rounds.round(round)) {
				answer(scenario, 5, Optional.of(new JvmReading("gw-1", 2, Duration.ofMillis(round * 300L), 1_000)));
			}
			this.fixture.time.advanceTimeBy(Duration.ofMillis(200));
		}
		assertThat(this.recorder.finished().reason().orElseThrow()).contains("the compiler of gw-1 took 75 %");
	}

	@Test
	void thereAreNoMoreRoundsThanMayBe() {
		int round = 0;
		while (this.rounds.has(round)) {
			for (Scenario scenario : this.rounds.round(round)) {
				answer(scenario, Math.round(1_000_000 * Math.pow(0.95, round)));
			}
			this.fixture.time.advanceTimeBy(Duration.ofMillis(200));
			round++;
		}
		assertThat(round).isEqualTo(100);
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.reason().orElseThrow())
			.startsWith("all 100 repetitions were sent before all was steady: " + "GET /first still fell by");
	}

	@Test
	void concurrencyGrowsByOneEveryFiveRounds() {
		Rounds wide = rounds(3);
		assertThat(List.of(wide.concurrency(0), wide.concurrency(4), wide.concurrency(5), wide.concurrency(10),
				wide.concurrency(99)))
			.containsExactly(1, 1, 2, 3, 3);
		assertThat(this.rounds.concurrency(99)).isEqualTo(1);
	}

	private Rounds rounds(int concurrency) {
		RunSettings settings = RunFixture.settings(Duration.ofMinutes(1), 5, 100, concurrency, this.criteria);
		return new Rounds(this.plan, settings, this.recorder, () -> new JvmReading("me", 1, this.jit, 0),
				this.fixture.timing);
	}

	private void answer(Scenario scenario, long millis) {
		answer(scenario, millis, Optional.empty());
	}

	private void answer(Scenario scenario, long millis, Optional<JvmReading> gateway) {
		for (RequestTemplate request : scenario.requests()) {
			Outcome outcome = new Outcome.Answered(scenario, request, Duration.ofMillis(millis), gateway, true);
			this.rounds.note(outcome);
			this.recorder.add(outcome);
		}
	}

}
