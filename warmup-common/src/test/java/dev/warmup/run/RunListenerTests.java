package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.CapturedLog;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RunListenerTests {

	private final RunFixture fixture = new RunFixture();

	private final Notes notes = new Notes();

	@Test
	void requestsOfTheFirstRoundAreSeenAlone() {
		RunRecord run = run(3);
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(this.notes.seen).containsExactly("begin r-1", "attempt", "first", "second", "second", "together",
				"ended", "close");
	}

	@Test
	void attemptsToFindARouteAreObservedToo() {
		List<String> attempts = new ArrayList<>();
		this.fixture.replayer.script = (scenario, session) -> {
			attempts.add(scenario.name());
			return (attempts.size() == 1) ? RunFixture.failed(scenario, "connection refused")
					: RunFixture.answered(scenario);
		};
		run(1);
		assertThat(this.notes.seen).containsExactly("begin r-1", "attempt", "attempt", "first", "second", "second",
				"together", "ended", "close");
	}

	@Test
	void findingsReachTheRecord() {
		assertThat(run(1).findings()).containsExactly("The observer was here.");
	}

	@Test
	void anObservationIsClosedWhenThereIsNoRoute() {
		this.fixture.replayer.script = (scenario, session) -> RunFixture.failed(scenario, "connection refused");
		assertThat(run(1).verdict()).isEqualTo(Verdict.FAILED);
		assertThat(this.notes.seen).endsWith("attempt", "close").doesNotContain("ended");
	}

	@Test
	void anObservationIsClosedWhenARunBreaksOff() {
		this.fixture.replayer.script = (scenario, session) -> Flux.error(new IllegalStateException("broken"));
		StepVerifier
			.withVirtualTime(
					() -> this.fixture.gatewayRun(2, this.notes)
						.run("r-1", Trigger.STARTUP, RunFixture.plan(RunFixture.CATALOG, 1), List.of(), RunFixture.SELF,
								RunFixture.GATEWAY, this.fixture.budget(Duration.ofMinutes(1)), Duration.ofMinutes(1)),
					() -> this.fixture.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofMinutes(2))
			.expectErrorMessage("broken")
			.verify(RunFixture.PATIENCE);
		assertThat(this.notes.seen).containsExactly("begin r-1", "attempt", "close");
	}

	@Test
	void aListenerThatFailsDoesNotStopTheRun() {
		RunListener failing = new RunListener() {

			@Override
			public Observation begin(String run, RunRecorder recorder) {
				throw new IllegalStateException("a bug");
			}

		};
		try (CapturedLog log = CapturedLog.of(RunListeners.class)) {
			RunRecord run = this.fixture.run(this.fixture.gatewayRun(2, failing, this.notes),
					RunFixture.plan(RunFixture.CATALOG, 1), this.fixture.budget(Duration.ofMinutes(1)));
			assertThat(run.verdict()).isEqualTo(Verdict.WARM);
			assertThat(this.notes.seen).endsWith("ended", "close");
			assertThat(log.lines()).singleElement().asString().endsWith("failed; the warm-up run goes on");
		}
	}

	private RunRecord run(int repetitions) {
		return this.fixture.run(this.fixture.gatewayRun(2, this.notes),
				RunFixture.plan(RunFixture.CATALOG, repetitions), this.fixture.budget(Duration.ofMinutes(1)));
	}

	/** Notes each call, and adds a finding to the record. */
	private static final class Notes implements RunListener {

		final List<String> seen = new ArrayList<>();

		@Override
		public Observation begin(String run, RunRecorder recorder) {
			this.seen.add("begin " + run);
			return new Observation() {

				@Override
				public void attempt() {
					Notes.this.seen.add("attempt");
				}

				@Override
				public void alone(Outcome outcome) {
					Notes.this.seen.add(outcome.scenario().name());
				}

				@Override
				public void together() {
					Notes.this.seen.add("together");
				}

				@Override
				public void ended() {
					Notes.this.seen.add("ended");
					recorder.found("The observer was here.");
				}

				@Override
				public void close() {
					Notes.this.seen.add("close");
				}

			};
		}

	}

}
