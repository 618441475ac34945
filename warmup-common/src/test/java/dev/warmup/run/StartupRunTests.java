package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.GatewayLocator;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.boot.context.event.ApplicationReadyEvent;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StartupRunTests {

	private static final Duration DEADLINE = Duration.ofSeconds(120);

	private final RunFixture fixture = new RunFixture();

	private final WarmupRunner runner = this.fixture.runner(() -> RunFixture.SELF, () -> RunFixture.CATALOG,
			GatewayLocator.fixed(RunFixture.GATEWAY.uri()), 1, this.fixture.gate);

	private final StartupRun startup = startup(this.runner, this.fixture.gate);

	private final List<Duration> runsAt = new ArrayList<>();

	@BeforeEach
	void useVirtualTime() {
		VirtualTimeScheduler.set(this.fixture.time);
	}

	@AfterEach
	void useRealTime() {
		VirtualTimeScheduler.reset();
	}

	@Test
	void aRunThatLeftTheInstanceWarmIsNotRepeated() {
		StepVerifier.create(this.startup.untilOpen())
			.then(() -> this.fixture.time.advanceTimeBy(Duration.ofHours(1)))
			.expectNext(Phase.WARM)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		assertThat(this.fixture.notes.runs).hasSize(1);
	}

	@Test
	void aDegradedInstanceIsLeftAsItIs() {
		this.fixture.replayer.script = (scenario, session) -> scenario.name().equals("first")
				? RunFixture.unexpected(scenario, 500, true) : RunFixture.answered(scenario);
		StepVerifier.create(this.startup.untilOpen())
			.then(() -> this.fixture.time.advanceTimeBy(Duration.ofHours(1)))
			.expectNext(Phase.DEGRADED)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
	}

	@Test
	void aFailedRunIsRepeatedAfterPausesThatGrowUpToAMinute() {
		failFor(5);
		StepVerifier.create(this.startup.untilOpen())
			.then(() -> this.fixture.time.advanceTimeBy(Duration.ofHours(1)))
			.expectNext(Phase.WARM)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		assertThat(this.runsAt).hasSize(6);
		long base = 10_000;
		for (int i = 1; i < 6; i++) {
			assertThat(this.runsAt.get(i).minus(this.runsAt.get(i - 1)).toMillis())
				.isBetween(Math.max(10_000, base / 2), Math.min(base * 3 / 2, 60_000));
			base = Math.min(base * 2, 60_000);
		}
		assertThat(this.fixture.notes.runs).extracting(RunRecord::verdict)
			.containsExactly(Verdict.FAILED, Verdict.FAILED, Verdict.FAILED, Verdict.FAILED, Verdict.FAILED,
					Verdict.WARM);
		assertThat(this.fixture.notes.phases).endsWith(Phase.FAILED, Phase.WARMING, Phase.WARM);
	}

	@Test
	void aGateThatAFailureKeepsClosedIsNotGivenUp() {
		Gate strict = new Gate(true, GatePosition.CLOSED, () -> {
		});
		WarmupRunner runner = this.fixture.runner(() -> RunFixture.SELF, () -> RunFixture.CATALOG,
				GatewayLocator.fixed(RunFixture.GATEWAY.uri()), 1, strict);
		this.fixture.replayer.script = (scenario,
				session) -> (this.fixture.notes.runs.size() < 3) && scenario.name().equals("first")
						? RunFixture.unexpected(scenario, 500, true) : RunFixture.answered(scenario);
		StepVerifier.create(startup(runner, strict).untilOpen())
			.then(() -> this.fixture.time.advanceTimeBy(Duration.ofHours(1)))
			.expectNext(Phase.WARM)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		assertThat(strict.isOpen()).isTrue();
		assertThat(this.fixture.notes.runs).extracting(RunRecord::verdict)
			.containsExactly(Verdict.DEGRADED, Verdict.DEGRADED, Verdict.DEGRADED, Verdict.WARM);
	}

	@ParameterizedTest
	@EnumSource(GatePosition.class)
	void theGateOpensAtTheDeadlineWhateverTheRunWaitsFor(GatePosition onFailure) {
		Gate gate = new Gate(true, onFailure, () -> {
		});
		this.fixture.replayer.script = (scenario, session) -> Flux.never();
		StartupRun startup = startup(this.fixture.runner(() -> RunFixture.SELF, () -> RunFixture.CATALOG,
				GatewayLocator.fixed(RunFixture.GATEWAY.uri()), 1, gate), gate);
		startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		this.fixture.time.advanceTimeBy(DEADLINE.minusMillis(1));
		assertThat(gate.isOpen()).isFalse();
		this.fixture.time.advanceTimeBy(Duration.ofMillis(1));
		assertThat(gate.isOpen()).isEqualTo(onFailure == GatePosition.OPEN);
	}

	private StartupRun startup(WarmupRunner runner, Gate gate) {
		return new StartupRun(runner, this.fixture.state, gate, Trigger.STARTUP, DEADLINE, this.fixture.time);
	}

	@Test
	void theRunStartsWhenTheApplicationIsReadyAndNotBefore() {
		this.startup.start();
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.fixture.notes.runs).isEmpty();
		this.startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.fixture.notes.runs).hasSize(1);
	}

	@Test
	void stoppingLetsTheRunCleanUpAndThenCallsBack() {
		Sinks.Empty<Void> cleanedUp = Sinks.empty();
		this.fixture.replayer.script = (scenario, session) -> RunFixture.answered(scenario)
			.concatWith(cleanedUp.asMono().thenMany(RunFixture.answered(scenario)));
		AtomicBoolean stopped = new AtomicBoolean();
		this.startup.start();
		this.startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		this.startup.stop(() -> stopped.set(true));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(5));
		assertThat(stopped).isFalse();
		cleanedUp.tryEmitEmpty().orThrow();
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(stopped).isTrue();
		assertThat(this.startup.isRunning()).isFalse();
		assertThat(this.fixture.replayer.replayed).containsExactly("first");
		assertThat(this.fixture.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.TIMED_OUT);
	}

	@Test
	void stoppingDoesNotWaitForEverForARunThatHangs() {
		this.fixture.replayer.script = (scenario, session) -> Flux.never();
		AtomicBoolean stopped = new AtomicBoolean();
		this.startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		this.startup.stop(() -> stopped.set(true));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(11));
		assertThat(stopped).isTrue();
		assertThat(this.runner.isRunning()).isFalse();
	}

	@Test
	void stoppingEndsTheRepetitionOfFailedRuns() {
		failFor(Integer.MAX_VALUE);
		AtomicInteger calls = new AtomicInteger();
		this.startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(15));
		int runs = this.fixture.notes.runs.size();
		this.startup.stop(calls::incrementAndGet);
		this.fixture.time.advanceTimeBy(Duration.ofHours(1));
		assertThat(calls).hasValue(1);
		assertThat(this.fixture.notes.runs).hasSize(runs);
	}

	@Test
	void itStopsBeforeTheWebServerDoes() {
		assertThat(this.startup.getPhase()).isEqualTo(Integer.MAX_VALUE);
	}

	private void failFor(int runs) {
		this.fixture.replayer.script = (scenario, session) -> {
			if (scenario.name().equals("first")) {
				this.runsAt.add(Duration.ofNanos(this.fixture.nanoTime()));
			}
			return (this.runsAt.size() <= runs) ? RunFixture.unexpected(scenario, 500, true)
					: RunFixture.answered(scenario);
		};
	}

}
