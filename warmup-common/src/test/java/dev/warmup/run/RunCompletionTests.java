package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** In which order a run ends, and what is reported to the gateways. */
@Timeout(60)
class RunCompletionTests {

	private final RunFixture fixture = new RunFixture();

	private final Gate gate = this.fixture.gate;

	@Test
	void reportsAnnounceTheGateOnceTheRunThroughAllGatewaysIsOver() {
		List<Boolean> openWhileRunning = new ArrayList<>();
		this.fixture.replayer.script = (scenario, session) -> {
			openWhileRunning.add(this.gate.isOpen());
			assertThat(this.fixture.reports).isEmpty();
			return RunFixture.answered(scenario);
		};
		List<RunRecord> runs = run(runner(this.gate));
		assertThat(openWhileRunning).hasSize(4).containsOnly(false);
		assertThat(this.fixture.reportedTo).containsExactly(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);
		assertThat(this.fixture.reports).extracting(RunReport::gate).containsOnly(GatePosition.OPEN);
		assertThat(this.fixture.reports).extracting(RunReport::run).isEqualTo(runs);
		assertThat(this.fixture.reports).allSatisfy((report) -> {
			assertThat(report.service()).isEqualTo("chat-service");
			assertThat(report.instanceId()).isEqualTo("host:1");
			assertThat(report.phase()).isEqualTo(Phase.WARM);
		});
	}

	@Test
	void theReportOfARunHasThePhaseThatItAloneWouldLeaveTheInstanceIn() {
		failThrough(RunFixture.GATEWAY);
		run(runner(this.gate));
		assertThat(this.fixture.reports).extracting(RunReport::phase).containsExactly(Phase.FAILED, Phase.WARM);
		assertThat(this.fixture.state.phase().phase()).isEqualTo(Phase.DEGRADED);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aRunOfAnInstanceWhoseGateIsOpenAnnouncesNothing() {
		this.gate.onConcluded(Optional.of(Phase.WARM));
		run(runner(this.gate));
		assertThat(this.fixture.reports).hasSize(2).extracting(RunReport::gate).containsOnly(GatePosition.CLOSED);
	}

	@ParameterizedTest
	@MethodSource("notReady")
	void anInstanceThatAcceptsNoUsersDoesNotAnnounceThatItsGateOpened(Mono<Boolean> readiness) {
		this.fixture.readiness = readiness;
		run(runner(this.gate));
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.fixture.reports).hasSize(2).extracting(RunReport::gate).containsOnly(GatePosition.CLOSED);
	}

	static Stream<Mono<Boolean>> notReady() {
		return Stream.of(Mono.just(false), Mono.never(), Mono.error(new IllegalStateException("a health check")));
	}

	@Test
	void aGateThatStaysClosedIsReportedSo() {
		Gate strict = new Gate(true, GatePosition.CLOSED, () -> {
		});
		failThrough(RunFixture.GATEWAY);
		run(runner(strict));
		assertThat(this.fixture.reports).hasSize(2).extracting(RunReport::gate).containsOnly(GatePosition.CLOSED);
	}

	@Test
	void aGatewayThatDoesNotAcceptItsReportDelaysNeitherGateNorTheOthers() {
		this.fixture.accepted = (gateway) -> gateway.equals(RunFixture.GATEWAY) ? Mono.never() : Mono.empty();
		WarmupRunner runner = runner(this.gate);
		StepVerifier.withVirtualTime(() -> runner.run(Trigger.STARTUP), () -> this.fixture.time, Long.MAX_VALUE)
			.thenAwait(Duration.ofSeconds(1))
			.then(() -> {
				assertThat(this.gate.isOpen()).isTrue();
				assertThat(this.fixture.reportedTo).containsExactly(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);
				assertThat(runner.isRunning()).isTrue();
			})
			.thenCancel()
			.verify(RunFixture.PATIENCE);
	}

	@Test
	void aRunThatWasStoppedIsRecordedAndReportedButOpensNoGate() {
		WarmupRunner runner = runner(this.gate);
		this.fixture.replayer.script = (scenario, session) -> RunFixture.answered(scenario).doOnComplete(runner::stop);
		List<RunRecord> runs = run(runner);
		assertThat(runs).isNotEmpty();
		assertThat(this.fixture.state.runs()).containsExactlyInAnyOrderElementsOf(runs);
		assertThat(this.fixture.reports).hasSameSizeAs(runs)
			.extracting(RunReport::gate)
			.containsOnly(GatePosition.CLOSED);
		assertThat(this.gate.isOpen()).isFalse();
		assertThat(this.fixture.notes.conclusions).isEmpty();
		assertThat(this.fixture.notes.phases).containsExactly(Phase.WARMING);
	}

	@Test
	void stoppingARunThatWaitsChangesNothing() {
		WarmupRunner runner = runner(this.gate);
		this.fixture.replayer.script = (scenario, session) -> RunFixture.failed(scenario, "Connection refused")
			.doOnComplete(runner::stop);
		assertThat(run(runner)).extracting(RunRecord::verdict).containsOnly(Verdict.FAILED);
		assertThat(this.fixture.state.phase().phase()).isEqualTo(Phase.COLD);
		assertThat(this.gate.isOpen()).isFalse();
	}

	private void failThrough(Gateway gateway) {
		this.fixture.replayer.script = (scenario, session) -> session.gateway().equals(gateway.uri())
				? RunFixture.unexpected(scenario, 500, true) : RunFixture.answered(scenario);
	}

	private WarmupRunner runner(Gate used) {
		return this.fixture.runner(() -> RunFixture.SELF, () -> RunFixture.CATALOG,
				RunFixture.locator(() -> Mono.just(List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY))), 1, used);
	}

	private List<RunRecord> run(WarmupRunner runner) {
		return this.fixture.run(runner, Trigger.STARTUP);
	}

}
