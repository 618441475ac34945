package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.Steadily;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WarmupStateTests {

	private final MutableClock clock = new MutableClock();

	private final RunFixture.Notes notes = new RunFixture.Notes();

	private final WarmupState state = new WarmupState(this.clock, List.of(this.notes));

	@Test
	void anInstanceIsColdAtFirst() {
		assertThat(this.state.phase()).isEqualTo(new WarmupState.PhaseSince(Phase.COLD, MutableClock.START));
		assertThat(this.state.lastRunEnd()).isEmpty();
		assertThat(this.state.runs()).isEmpty();
	}

	@Test
	void aPhaseBeginsWhenItChangesAndListenersAreCalledOnce() {
		this.clock.advance(Duration.ofSeconds(1));
		this.state.underWay();
		this.clock.advance(Duration.ofSeconds(1));
		this.state.underWay();
		assertThat(this.state.phase())
			.isEqualTo(new WarmupState.PhaseSince(Phase.WARMING, MutableClock.START.plusSeconds(1)));
		assertThat(this.notes.phases).containsExactly(Phase.WARMING);
	}

	@Test
	void aRunOfAWarmInstanceLeavesItWarmMeanwhile() {
		this.state.concluded(List.of(warm()));
		this.state.underWay();
		assertThat(this.state.phase().phase()).isEqualTo(Phase.WARM);
		assertThat(this.notes.phases).containsExactly(Phase.WARM);
	}

	@Test
	void aFailedInstanceIsWarmingOnceItIsAnswered() {
		this.state.concluded(List.of(failed()));
		this.state.underWay();
		assertThat(this.notes.phases).containsExactly(Phase.FAILED, Phase.WARMING);
	}

	@Test
	void aSkippedRunChangesNoPhaseAndConcludesAllTheSame() {
		this.state.concluded(List.of(recorder().skipped("nothing to send")));
		assertThat(this.state.phase().phase()).isEqualTo(Phase.COLD);
		assertThat(this.notes.phases).isEmpty();
		assertThat(this.notes.conclusions).containsExactly(Optional.empty());
	}

	@Test
	void theLastTwentyRunsAreKeptNewestFirst() {
		for (int i = 0; i < 25; i++) {
			this.clock.advance(Duration.ofSeconds(1));
			this.state.ended(failed());
		}
		assertThat(this.state.runs()).hasSize(20);
		assertThat(this.state.runs().get(0).startedAt()).isEqualTo(MutableClock.START.plusSeconds(25));
		assertThat(this.state.runs().get(19).startedAt()).isEqualTo(MutableClock.START.plusSeconds(6));
	}

	@Test
	void theLastRunEndedAfterItsWaitAndItsRequests() {
		RunRecorder recorder = recorder();
		this.clock.advance(Duration.ofSeconds(10));
		recorder.add(answered());
		this.clock.advance(Duration.ofSeconds(20));
		this.state.ended(recorder.finished());
		assertThat(this.state.lastRunEnd()).hasValue(MutableClock.START.plusSeconds(30));
	}

	@Test
	void aListenerThatFailsIsLoggedAndTheGateOpensAllTheSame() {
		RunListener broken = new RunListener() {

			@Override
			public void onRun(RunRecord run) {
				throw new IllegalStateException("a bug");
			}

			@Override
			public void onConcluded(Optional<Phase> left) {
				throw new IllegalStateException("a bug");
			}

			@Override
			public void onPhase(Phase phase) {
				throw new IllegalStateException("a bug");
			}

		};
		WarmupState listened = new WarmupState(this.clock, List.of(broken, this.notes));
		try (CapturedLog log = CapturedLog.of(RunListeners.class)) {
			listened.ended(failed());
			listened.concluded(List.of(failed()));
			assertThat(log.lines()).hasSize(3).allSatisfy((line) -> assertThat(line).startsWith("ERROR"));
		}
		assertThat(this.notes.phases).containsExactly(Phase.FAILED);
	}

	private RunRecord warm() {
		RunRecorder recorder = recorder();
		RunFixture.CATALOG.scenarios()
			.forEach((scenario) -> scenario.requests()
				.forEach((request) -> recorder.add(new Outcome.Answered(scenario, request, Duration.ofMillis(1)))));
		return recorder.finished();
	}

	private RunRecord failed() {
		return recorder().unreached("no route");
	}

	private static Outcome answered() {
		return RunFixture.answered(RunFixture.CATALOG.scenarios().get(0)).blockFirst(Duration.ofSeconds(30));
	}

	private RunRecorder recorder() {
		return new RunRecorder("r", Trigger.STARTUP, "gw",
				Plan.of(RunFixture.CATALOG, "chat-service", Trigger.STARTUP, 1), Steadily.AT_ONCE, this.clock);
	}

}
