package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Retries.NoRouteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** A run from its trigger to its verdict, and what it leaves behind. */
class WarmupRunnerTests extends RunFixture {

	private static final String NO_SCENARIO = "version: 1\nscenarios: []\n";

	private final List<String> done = new ArrayList<>();

	@Test
	void aRunThatIsStoppedWhileItAnnouncesTheOpeningEnds() {
		this.catalogs = () -> Catalogs.of(NO_SCENARIO);
		this.check = (gateway) -> Mono.never();
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> run = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(1));
		assertThat(run).isNotDone();
		runner.stop();
		assertThat(run).isDone();
	}

	@Test
	void aRunGoesThroughEveryGatewayAndCompletesOnce() {
		twoGateways();
		List<RunRecord> runs = runAll();
		assertThat(runs).extracting(RunRecord::gateway).containsExactly("gw-1", "gw-2");
		assertThat(runs).extracting(RunRecord::verdict).containsOnly(Verdict.WARM);
		assertThat(runs).extracting(RunRecord::id).doesNotHaveDuplicates();
		assertThat(this.notes.runs).isEqualTo(runs);
		assertThat(this.history).containsExactly("phase WARMING", "phase WARM", "open at 0.0 s",
				"report WARM OPEN gw-1", "report WARM OPEN gw-2");
	}

	@Test
	void aGatewayThatIsGoneTakesNoTimeFromTheOthers() {
		this.gateways = Mono.just(gateways(10));
		List<Duration> budgets = new ArrayList<>();
		this.script = (scenario, session) -> {
			if (session.gateway().equals(OTHER_GATEWAY.uri())) {
				return failed(scenario, "Connection refused");
			}
			budgets.add(session.budget().remaining());
			return answered(scenario);
		};
		List<RunRecord> runs = runAll();
		assertThat(runs).extracting(RunRecord::gateway).containsExactly("gw-1", "gw-2", "gw-3");
		assertThat(runs).extracting(RunRecord::verdict).containsExactly(Verdict.WARM, Verdict.FAILED, Verdict.WARM);
		assertThat(budgets).isNotEmpty()
			.allSatisfy((left) -> assertThat(left).isGreaterThanOrEqualTo(Duration.ofSeconds(50)));
		assertThat(this.endedAt).isLessThanOrEqualTo(Duration.ofSeconds(60));
		assertThat(history("phase")).containsExactly("phase WARMING", "phase DEGRADED");
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 5 })
	void aGatewayThatBeginsLaterHasTheWholeBudget(int seconds) {
		twoGateways();
		this.budget = Duration.ofSeconds(seconds);
		this.script = (scenario, session) -> session.budget().isOver() ? Flux.empty()
				: answeredAfter(scenario, Duration.ofSeconds(3));
		assertThat(runAll()).hasSize(2).extracting(RunRecord::sent).doesNotContain(0L);
	}

	@Test
	void gatewaysBeginSideBySideSoThatOneThatHangsDelaysNoOther() {
		twoGateways();
		List<String> started = new ArrayList<>();
		this.check = (gateway) -> {
			started.add("%s after %d s".formatted(gateway.id(), Duration.ofNanos(nanoTime()).toSeconds()));
			return Mono.empty();
		};
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofSeconds(4));
		runAll();
		assertThat(started).containsExactly("gw-1 after 0 s", "gw-2 after 0 s");
	}

	@Test
	void twoRunsNeverGoOnAtOnce() {
		Sinks.Empty<Void> released = Sinks.empty();
		this.script = (scenario, session) -> released.asMono().thenMany(answered(scenario));
		WarmupRunner runner = runner();
		assertThat(runner.start(Trigger.MANUAL)).isTrue();
		pass(Duration.ofSeconds(1));
		assertThat(runner.isRunning()).isTrue();
		assertThat(runner.run(Trigger.IDLE).blockOptional(Duration.ZERO)).isEmpty();
		assertThat(runner.start(Trigger.MANUAL)).isFalse();
		assertThat(runner.startThrough(Trigger.IDLE, OTHER_GATEWAY)).isEmpty();
		released.tryEmitEmpty().orThrow();
		pass(Duration.ofSeconds(1));
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.notes.runs).extracting(RunRecord::trigger).containsExactly(Trigger.MANUAL);
		await(runner.run(Trigger.STARTUP).then(runner.run(Trigger.IDLE)));
		assertThat(this.notes.runs).as("free when a run completes").hasSize(3);
		this.script = (scenario, session) -> Flux.never();
		runner.run(Trigger.STARTUP).subscribe().dispose();
		assertThat(runner.isRunning()).as("or is canceled").isFalse();
	}

	/** As where Reactor signals a LinkageError to nobody. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRunThatHangsEndsAtLast(boolean answered) {
		this.script = (scenario, session) -> (answered ? answered(scenario) : Flux.<Outcome>empty())
			.concatWith(Flux.never());
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofMinutes(10));
		assertThat(runner.isRunning()).isTrue();
		pass(Duration.ofMinutes(11));
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.notes.runs).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(answered ? Verdict.TIMED_OUT : Verdict.FAILED);
			assertThat(run.findings()).singleElement().asString().contains("look for an error in the log");
		});
	}

	@Test
	void aRunThatAGatewayRequestedGoesThroughThatOnlyRunsNoTaskAndCompletesNothing() {
		task("cache", () -> this.done.add("cache"));
		WarmupRunner runner = runner();
		Optional<String> id = runner.startThrough(Trigger.IDLE, OTHER_GATEWAY);
		pass(Duration.ofSeconds(1));
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.notes.runs).singleElement().satisfies((run) -> {
			assertThat(id).hasValue(run.id());
			assertThat(run.gateway()).isEqualTo("gw-2");
			assertThat(run.trigger()).isEqualTo(Trigger.IDLE);
			assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		});
		assertThat(this.done).isEmpty();
		assertThat(this.history).containsExactly("report WARM CLOSED gw-2");
	}

	@ParameterizedTest
	@ValueSource(strings = { NO_SCENARIO,
			"version: 1\nscenarios:\n  - { name: other, service: other-service, requests: [GET /other] }\n" })
	void aRunWithNothingToSendIsSkippedAndNeverCalledWarm(String catalog) {
		assertThat(await(runner().hasWork(Trigger.STARTUP))).isTrue();
		task("cache", () -> this.done.add("cache"));
		this.catalogs = () -> Catalogs.of(catalog);
		assertThat(await(runner().hasWork(Trigger.STARTUP))).isFalse();
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.SKIPPED);
		assertThat(run.reason().orElseThrow()).endsWith(
				catalog.equals(NO_SCENARIO) ? " is missing or has no scenarios" : " has no scenario for chat-service");
		assertThat(this.state.phase().phase()).isEqualTo(Phase.COLD);
		assertThat(history("phase")).isEmpty();
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.replayed).isEmpty();
		assertThat(this.done).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "OPEN, SKIPPED", "CLOSED, FAILED" })
	void withNowhereToLookForGatewaysTheGateOpensAtOnceUnlessAFailureKeepsItClosed(Gate.Position onFailure,
			Verdict verdict) {
		this.gate = gate(onFailure);
		thereIsNowhereToLook();
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(verdict);
		assertThat(run.reason()).contains("warmup.gateway.url is not set, and there is no discovery client");
		assertThat(history("open")).isEqualTo((onFailure == Gate.Position.OPEN) ? List.of("open at 0.0 s") : List.of());
		assertThat(this.replayed).isEmpty();
	}

	private void thereIsNowhereToLook() {
		this.locator = mock(GatewayLocator.class);
		given(this.locator.isAvailable()).willReturn(false);
		given(this.locator.description()).willReturn("none");
		given(this.locator.locate()).willReturn(Mono.just(List.of()));
	}

	@Test
	void aRunWithNothingToSendAnnouncesTheGateToAllGatewaysOnceTheyKnowTheInstance() {
		twoGateways();
		this.catalogs = () -> Catalogs.of(NO_SCENARIO);
		this.check = (gateway) -> (nanoTime() < Duration.ofSeconds(4).toNanos())
				? Mono.error(new Retries.NoRouteException("not registered yet")) : Mono.empty();
		this.readiness = Mono.fromSupplier(() -> nanoTime() > Duration.ofSeconds(2).toNanos());
		WarmupRunner runner = runner();
		try (CapturedLog log = CapturedLog.of(Retries.class)) {
			assertThat(run(runner, Trigger.STARTUP)).hasSize(1);
			assertThat(log.lines()).hasSize(2)
				.allSatisfy((line) -> assertThat(line).startsWith("INFO Waiting for registration at the gateway"));
		}
		assertThat(history("report")).containsExactlyInAnyOrder("report COLD OPEN gw-1", "report COLD OPEN gw-2");
		assertThat(this.reports).extracting((report) -> report.run().verdict()).containsOnly(Verdict.SKIPPED);
		assertThat(runner.isFirstRunDue()).isFalse();
		run(runner, Trigger.IDLE);
		assertThat(this.reports).as("it was open before").hasSize(2);
	}

	@Test
	void onlyARunAtStartWithNothingToSendOpensAGateThatAFailureKeepsClosed() {
		this.gate = new Gate(true, Gate.Position.CLOSED, () -> {
		});
		this.catalogs = () -> Catalogs.ofScenarios("{ name: starting, when: [startup], requests: [GET /starting] }");
		this.script = (scenario, session) -> unexpected(scenario, 500, true);
		WarmupRunner runner = runner();
		run(runner, Trigger.STARTUP);
		assertThat(run(runner, Trigger.IDLE)).singleElement().satisfies((idle) -> {
			assertThat(idle.verdict()).isEqualTo(Verdict.SKIPPED);
			assertThat(idle.reason().orElseThrow()).endsWith(" has no scenario for chat-service with 'when: idle'");
		});
		assertThat(this.gate.isOpen()).isFalse();
		this.catalogs = () -> Catalogs.ofScenarios("{ name: idle, when: [idle], requests: [GET /idle] }");
		assertThat(run(runner, Trigger.MANUAL)).singleElement()
			.satisfies((onDemand) -> assertThat(onDemand.reason().orElseThrow())
				.endsWith(" has no scenario for chat-service with 'when: startup'"));
		assertThat(this.gate.isOpen()).isFalse();
		run(runner, Trigger.STARTUP);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aRunWithNothingToSendReportsNothingToAGatewayWithoutTheLibrary() {
		this.catalogs = () -> Catalogs.of(NO_SCENARIO);
		this.check = (gateway) -> Mono.error(new GatewayClient.UnsupportedException("it has no warmup-common"));
		CompletableFuture<List<RunRecord>> run = runner().run(Trigger.STARTUP).toFuture();
		pass(Duration.ofMillis(100));
		assertThat(run).isDone();
		assertThat(this.checks).hasSize(1);
		assertThat(this.reports).isEmpty();
	}

	@Test
	void anOpeningIsAnnouncedAlsoToGatewaysThatTheRunDidNotGoThrough() {
		AtomicInteger lookUps = new AtomicInteger();
		this.gateways = Mono.fromSupplier(() -> gateways((lookUps.getAndIncrement() == 0) ? 4 : 5));
		unroutable(gateways(5).get(4), Duration.ofSeconds(3));
		WarmupRunner runner = runner();
		assertThat(run(runner, Trigger.STARTUP)).extracting(RunRecord::verdict).containsOnly(Verdict.WARM);
		assertThat(history("report")).containsExactlyInAnyOrder("report WARM OPEN gw-1", "report WARM OPEN gw-2",
				"report WARM OPEN gw-3", "report RAMPING OPEN gw-4", "report RAMPING OPEN gw-5");
		run(runner, Trigger.IDLE);
		assertThat(this.reports).as("it was open before").hasSize(5 + 3);
	}

	/** A health check that is slow, or fails for a moment, decides on nothing else. */
	@Test
	void anApplicationThatAcceptsUsersSecondsAfterItsRunIsAnnouncedThen() {
		this.readiness = Mono.defer(() -> (nanoTime() < Duration.ofSeconds(1).toNanos()) ? Mono.never()
				: Mono.just(nanoTime() > Duration.ofSeconds(6).toNanos()));
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> run = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(3));
		assertThat(run).as("does not wait for it").isDone();
		pass(Duration.ofMinutes(1));
		assertThat(history("report")).containsExactly("report WARM CLOSED gw-1", "report WARM OPEN gw-1");
	}

	@ParameterizedTest
	@CsvSource({ "true, OPEN", "false, CLOSED" })
	void aGatewayThatCannotBeReachedDoesNotKeepAGateClosedThatOthersOpen(boolean unreachable, Gate.Position position) {
		twoGateways();
		this.gate = gate(Gate.Position.CLOSED);
		if (unreachable) {
			unroutable(OTHER_GATEWAY, Duration.ofDays(1));
		}
		else {
			this.script = (scenario, session) -> session.gateway().equals(GATEWAY.uri()) ? answered(scenario)
					: unexpected(scenario, 500, true);
		}
		assertThat(runAll()).extracting(RunRecord::verdict).containsExactly(Verdict.WARM, Verdict.FAILED);
		assertThat(this.gate.position()).isEqualTo(position);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.DEGRADED);
	}

	@ParameterizedTest
	@EnumSource(Gate.Position.class)
	void anOpeningThatNoGatewayAcceptedOrThatUsersWereRefusedAtIsAnnouncedByTheNextReport(Gate.Position first) {
		this.accepted = (gateway) -> Mono.just(this.reports.size() > 1);
		this.readiness = Mono.just(first == Gate.Position.OPEN);
		WarmupRunner runner = runner();
		run(runner, Trigger.STARTUP);
		this.readiness = Mono.just(true);
		run(runner, Trigger.IDLE);
		run(runner, Trigger.IDLE);
		assertThat(history("report")).containsExactly("report WARM " + first + " gw-1", "report WARM OPEN gw-1",
				"report WARM CLOSED gw-1");
	}

	@Test
	void aGateThatOpenedAtItsDeadlineIsAnnouncedWhenTheRunEnds() {
		WarmupRunner runner = runner();
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofSeconds(5));
		CompletableFuture<List<RunRecord>> run = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(1));
		assertThat(runner.openAtDeadline()).isTrue();
		pass(Duration.ofMinutes(2));
		assertThat(run).isDone();
		assertThat(history("report")).containsExactly("report WARM OPEN gw-1");
	}

	@Test
	void withoutAGatewayOrAnAnswerOfItsLocatorTheRunFailsWithThatReason() {
		this.gateways = Mono.just(List.of());
		task("cache", () -> {
			throw new IllegalStateException("no disk");
		});
		RunRecord run = run();
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("there is no gateway of the test");
		assertThat(run.gateway()).isEqualTo("gateway of the test");
		assertThat(run.findings()).containsExactly("task cache failed: IllegalStateException: no disk");
		assertThat(history("phase")).containsExactly("phase FAILED");
		this.gateways = Mono.never();
		assertThat(run().reason())
			.hasValue("the look-up of gateway of the test had no answer in time; the last attempt "
					+ "had no answer before the budget was spent");
		assertThat(this.gate.isOpen()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("fruitless")
	void aLookupWithoutAGatewayEndsWithTheBudgetOrWhenTheRunIsStoppedAndThatIsTheReason(Mono<List<Gateway>> gateways,
			String reason) {
		this.gateways = gateways;
		this.budget = Duration.ofSeconds(2);
		runner().start(Trigger.STARTUP);
		pass(Duration.ofSeconds(2));
		assertThat(this.notes.runs).hasSize(1);
		this.budget = Duration.ofSeconds(30);
		WarmupRunner stopped = runner();
		stopped.start(Trigger.STARTUP);
		pass(Duration.ofSeconds(1));
		stopped.stop();
		pass(Duration.ofSeconds(2));
		assertThat(stopped.isRunning()).isFalse();
		assertThat(this.state.runs()).hasSize(2).first().extracting(RunRecord::reason).isEqualTo(Optional.of(reason));
	}

	static Stream<Arguments> fruitless() {
		return Stream.of(arguments(Mono.just(List.of()), "there is no gateway of the test; the run was stopped"),
				arguments(Mono.never(),
						"the look-up of gateway of the test had no answer in time; the run was stopped"));
	}

	@Test
	void gatewaysAreLocatedAgainUntilThereIsOne() {
		AtomicInteger looks = new AtomicInteger();
		this.gateways = Mono.defer(() -> switch (looks.incrementAndGet()) {
			case 1 -> Mono.error(new IllegalStateException("registry down"));
			case 2 -> Mono.never();
			case 3 -> Mono.just(List.of());
			default -> Mono.just(List.of(GATEWAY));
		});
		assertThat(run().verdict()).isEqualTo(Verdict.WARM);
		assertThat(looks).as("and for those that came since").hasValue(5);
	}

	@Test
	void gatewaysThatAreFoundLateStillHaveHalfOfTheBudgetForARoute() {
		this.gateways = Mono.fromSupplier(() -> (this.time.now(TimeUnit.SECONDS) < 55) ? List.of() : List.of(GATEWAY));
		this.check = (gateway) -> (this.time.now(TimeUnit.SECONDS) < 75) ? Mono.error(new NoRouteException("not yet"))
				: Mono.empty();
		assertThat(run().verdict()).isEqualTo(Verdict.WARM);
	}

	@Test
	void aRunThatBreaksOffEndsInAVerdict() {
		this.catalogs = () -> {
			throw new IllegalStateException("disk gone");
		};
		WarmupRunner runner = runner();
		assertThat(run(runner, Trigger.STARTUP)).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.reason().orElseThrow()).contains("disk gone");
		});
		assertThat(runner.isRunning()).isFalse();
		assertThat(runner.startThrough(Trigger.STARTUP, GATEWAY)).isPresent();
		pass(Duration.ofSeconds(1));
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED, Verdict.FAILED);
		this.catalogs = () -> CATALOG;
		this.script = (scenario, session) -> scenario.name().equals("second")
				? Flux.error(new IllegalStateException("a bug")) : answered(scenario);
		assertThat(run().verdict()).isEqualTo(Verdict.FAILED);
		assertThat(history("phase")).containsExactly("phase FAILED", "phase WARMING", "phase FAILED");
		this.instance = () -> {
			throw new IllegalStateException("not registered");
		};
		assertThat(run().verdict()).isEqualTo(Verdict.FAILED);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.FAILED);
	}

	@ParameterizedTest
	@EnumSource(Trigger.class)
	void tasksAreRunOnceForAllGatewaysBeforeAnythingIsSent(Trigger trigger) {
		twoGateways();
		task("cache", () -> {
			this.done.add("cache, sent " + this.replayed.size());
			throw new IllegalStateException("no disk");
		});
		assertThat(run(runner(), trigger)).hasSize(2)
			.allSatisfy((run) -> assertThat(run.findings())
				.containsExactly("task cache failed: IllegalStateException: no disk"));
		assertThat(this.done).containsExactly("cache, sent 0");
	}

	@Test
	void tasksThatHangLeaveTheRouteHalfOfTheBudgetAndTheReplayAllOfIt() {
		this.tasks = List.of(endless(Duration.ofSeconds(20)), endless(Duration.ofMinutes(20)),
				endless(Duration.ofSeconds(1)));
		RunRecord run = run();
		assertThat(run.findings()).containsExactly("task endless failed: not done within 20000 ms",
				"task endless failed: not done within 10000 ms",
				"task endless failed: not run: no time was left for it");
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.waited()).isZero();
		assertThat(run.took()).isZero();
	}

	@Test
	void reportsAnnounceTheGateOnceTheRunThroughAllGatewaysIsOver() {
		twoGateways();
		List<Boolean> openWhileRunning = new ArrayList<>();
		this.script = (scenario, session) -> {
			openWhileRunning.add(this.gate.isOpen());
			assertThat(this.reports).isEmpty();
			return answered(scenario);
		};
		List<RunRecord> runs = runAll();
		assertThat(openWhileRunning).hasSize(4).containsOnly(false);
		assertThat(history("report")).containsExactly("report WARM OPEN gw-1", "report WARM OPEN gw-2");
		assertThat(this.reports).extracting(RunReport::run).isEqualTo(runs);
		assertThat(this.reports).allSatisfy((report) -> {
			assertThat(report.service()).isEqualTo("chat-service");
			assertThat(report.instanceId()).isEqualTo("host:1");
		});
	}

	@ParameterizedTest
	@EnumSource(Gate.Position.class)
	void theReportOfARunHasItsOwnPhaseAndWhereThePolicyPutTheGate(Gate.Position onFailure) {
		twoGateways();
		this.gate = gate(onFailure);
		this.script = (scenario, session) -> session.gateway().equals(GATEWAY.uri()) ? unexpected(scenario, 500, true)
				: answered(scenario);
		runAll();
		assertThat(history("report")).containsExactly("report FAILED " + onFailure + " gw-1",
				"report WARM " + onFailure + " gw-2");
		assertThat(this.state.phase().phase()).isEqualTo(Phase.DEGRADED);
	}

	@Test
	void aGatewayThatDoesNotAcceptItsReportDelaysNeitherGateNorTheOthers() {
		twoGateways();
		this.accepted = (gateway) -> gateway.equals(GATEWAY) ? Mono.never() : Mono.just(true);
		WarmupRunner runner = runner();
		runner.start(Trigger.STARTUP);
		pass(Duration.ofSeconds(1));
		assertThat(this.history).endsWith("open at 0.0 s", "report WARM OPEN gw-1", "report WARM OPEN gw-2");
		assertThat(runner.isRunning()).isTrue();
	}

	@Test
	void stoppingEndsARunAfterItsRepetitionAndOpensNoGate() {
		WarmupRunner runner = runner();
		this.script = (scenario, session) -> answered(scenario).doOnComplete(runner::stop);
		assertThat(run(runner, Trigger.STARTUP)).isEqualTo(this.state.runs()).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
			assertThat(run.reason()).hasValue("the run was stopped after 1 of 3 requests");
		});
		assertThat(this.replayed).containsExactly("first");
		assertThat(this.history).containsExactly("phase WARMING", "report DEGRADED CLOSED gw-1");
	}

	@ParameterizedTest
	@MethodSource("notReady")
	void anInstanceThatAcceptsNoUsersDoesNotAnnounceThatItsGateOpened(Mono<Boolean> readiness) {
		this.readiness = readiness;
		runAll();
		assertThat(this.history).containsExactly("phase WARMING", "phase WARM", "open at 0.0 s",
				"report WARM CLOSED gw-1");
	}

	static Stream<Mono<Boolean>> notReady() {
		return Stream.of(Mono.just(false), Mono.never(), Mono.error(new IllegalStateException("a health check")));
	}

	@Test
	void aPhaseBeginsWhenItChangesAndAWarmInstanceStaysWarmDuringARun() {
		assertThat(this.state.phase()).isEqualTo(new WarmupState.PhaseSince(Phase.COLD, this.clock.instant()));
		assertThat(this.state.lastRunEnd()).isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		WarmupState.PhaseSince warm = new WarmupState.PhaseSince(Phase.WARM, this.clock.instant());
		runAll();
		this.script = (scenario, session) -> {
			this.clock.advance(Duration.ofSeconds(10));
			return answered(scenario);
		};
		runAll();
		assertThat(this.state.phase()).isEqualTo(warm);
		assertThat(history("phase")).containsExactly("phase WARMING", "phase WARM");
		assertThat(this.state.lastRunEnd()).hasValue(this.clock.instant());
		for (int i = 2; i < 25; i++) {
			runAll();
		}
		assertThat(this.state.runs()).as("the last, newest first")
			.hasSize(20)
			.first()
			.isEqualTo(this.notes.runs.get(24));
		assertThat(this.state.runs().get(19)).isEqualTo(this.notes.runs.get(5));
	}

	private void twoGateways() {
		this.gateways = Mono.just(gateways(2));
	}

	private void task(String name, Runnable work) {
		this.tasks = List.of(WarmupTask.of(name, work));
	}

	private static WarmupTask endless(Duration limit) {
		return new WarmupTasksTests.SomeTask("endless", Mono::never, limit);
	}

	private List<RunRecord> runAll() {
		return run(runner(), Trigger.STARTUP);
	}

	@Test
	void noRunBeginsOnceTheRunnerIsStoppedUntilItIsResumed() {
		WarmupRunner runner = runner();
		runner.stop();
		assertThat(runner.start(Trigger.MANUAL)).isFalse();
		runner.resume();
		assertThat(runner.start(Trigger.MANUAL)).isTrue();
	}

	/** Gateways that start later would not be warmed, although users come. */
	@Test
	void theFirstRunIsDueNoMoreWhenALaterOneFails() {
		WarmupRunner runner = runner();
		assertThat(runner.isFirstRunDue()).isTrue();
		run(runner, Trigger.STARTUP);
		assertThat(runner.isFirstRunDue()).isFalse();
		this.script = (scenario, session) -> failed(scenario, "connection reset");
		run(runner, Trigger.IDLE);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.FAILED);
		assertThat(runner.isFirstRunDue()).isFalse();
		this.script = (scenario, session) -> answered(scenario);
		assertThat(runner.startThrough(Trigger.STARTUP, GATEWAY)).isPresent();
		pass(Duration.ofMinutes(1));
		assertThat(this.state.phase().phase()).as("that of the run through all gateways").isEqualTo(Phase.FAILED);
	}

	@Test
	void theFirstRunIsDueAgainWhereItsFailureKeepsTheGateClosed() {
		this.gate = gate(Gate.Position.CLOSED);
		this.script = (scenario, session) -> failed(scenario, "connection reset");
		WarmupRunner runner = runner();
		run(runner, Trigger.STARTUP);
		assertThat(runner.isFirstRunDue()).isTrue();
		this.script = (scenario, session) -> scenario.name().equals("first") ? answered(scenario)
				: failed(scenario, "connection reset");
		run(runner, Trigger.STARTUP);
		assertThat(this.gate.isOpen()).isFalse();
		assertThat(runner.isFirstRunDue()).as("it was answered in part").isFalse();
	}

}
