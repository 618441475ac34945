package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.CapturedLog;
import dev.warmup.Catalogs;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class StartupRunTests extends RunFixture {

	private static final Duration DEADLINE = Duration.ofSeconds(40);

	private final StartupRun startup = startup(runner());

	private final List<Duration> runsAt = new ArrayList<>();

	private final List<String> stopped = new ArrayList<>();

	@Test
	void theRunStartsWhenTheApplicationIsReadyAndIsNotRepeatedWhenTheInstanceIsWarm() {
		this.startup.start();
		pass(Duration.ofSeconds(1));
		assertThat(this.notes.runs).isEmpty();
		ready(Duration.ofHours(1));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.WARM);
	}

	@Test
	void aChildOfTheContextThatIsReadyStartsNoRun() {
		ApplicationReadyEvent childs = Mockito.mock(ApplicationReadyEvent.class);
		BDDMockito.given(childs.getApplicationContext()).willReturn(Mockito.mock(ConfigurableApplicationContext.class));
		this.startup.onApplicationEvent(childs);
		pass(Duration.ofHours(1));
		assertThat(this.notes.runs).isEmpty();
	}

	/** As where another service that it calls is not found by then. */
	@Test
	void aRunThatIsDegradedIsRepeatedUntilOneIsWarm() {
		firstFails();
		ready(Duration.ofSeconds(40));
		assertThat(this.notes.runs).hasSizeBetween(2, 3).extracting(RunRecord::verdict).containsOnly(Verdict.DEGRADED);
		assertThat(this.gate.isOpen()).isTrue();
		this.script = (scenario, session) -> answered(scenario);
		pass(Duration.ofHours(1));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).endsWith(Verdict.DEGRADED, Verdict.WARM);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.WARM);
	}

	@Test
	void aRunThatIsDegradedIsRepeatedFourTimes() {
		firstFails();
		ready(Duration.ofHours(1));
		assertThat(this.notes.runs).hasSize(5).extracting(RunRecord::verdict).containsOnly(Verdict.DEGRADED);
	}

	@Test
	void aRunThatIsDegradedIsNotRepeatedWhereAnotherHasWarmedTheInstance() {
		firstFails();
		WarmupRunner runner = runner();
		ready(startup(runner), Duration.ofSeconds(9));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.DEGRADED);
		this.script = (scenario, session) -> answered(scenario);
		assertThat(runner.start(Trigger.MANUAL)).isTrue();
		pass(Duration.ofHours(1));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.DEGRADED, Verdict.WARM);
	}

	@Test
	void aFailedRunIsRepeatedAfterPausesThatGrowUpToAMinute() {
		failFor(5);
		ready(Duration.ofHours(1));
		assertThat(this.runsAt).hasSize(6);
		long base = 10_000;
		for (int i = 1; i < 6; i++) {
			assertThat(this.runsAt.get(i).minus(this.runsAt.get(i - 1)).toMillis())
				.isBetween(Math.max(10_000, base / 2), Math.min(base * 3 / 2, 60_000));
			base = Math.min(base * 2, 60_000);
		}
		assertThat(this.notes.runs).extracting(RunRecord::verdict)
			.startsWith(Verdict.FAILED)
			.endsWith(Verdict.FAILED, Verdict.WARM);
		assertThat(history("phase")).endsWith("phase FAILED", "phase WARMING", "phase WARM");
	}

	@Test
	void aFailedRunIsNotRepeatedForACatalogThatHasNothingToSendAnyMore() {
		failFor(1);
		ready(Duration.ofSeconds(1));
		this.catalogs = () -> Catalogs.of("version: 1\nscenarios: []");
		pass(Duration.ofHours(1));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED, Verdict.SKIPPED);
	}

	@Test
	void aFailedRunIsNotRepeatedWhereAnotherHasWarmedTheInstance() {
		failFor(1);
		WarmupRunner runner = runner();
		ready(startup(runner), Duration.ofSeconds(1));
		runner.start(Trigger.MANUAL);
		pass(Duration.ofHours(1));
		assertThat(this.notes.runs).extracting(RunRecord::trigger).containsExactly(Trigger.STARTUP, Trigger.MANUAL);
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED, Verdict.WARM);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anApplicationThatAcceptsUsersLongAfterItsRunIsAnnouncedThen(boolean empty) {
		if (empty) {
			this.catalogs = () -> Catalogs.of("version: 1\nscenarios: []");
		}
		this.readiness = Mono.just(false);
		ready(Duration.ofSeconds(30));
		readiness(ReadinessState.REFUSING_TRAFFIC);
		assertThat(this.reports).extracting(RunReport::gate).doesNotContain(Gate.Position.OPEN);
		int before = this.reports.size();
		this.readiness = Mono.just(true);
		readiness(ReadinessState.ACCEPTING_TRAFFIC);
		readiness(ReadinessState.ACCEPTING_TRAFFIC);
		assertThat(this.reports.subList(before, this.reports.size())).singleElement().satisfies((report) -> {
			assertThat(report.gate()).isEqualTo(Gate.Position.OPEN);
			assertThat(report.run()).isEqualTo(this.notes.runs.get(0));
		});
	}

	@Test
	void anApplicationThatStopsIsNotAnnounced() {
		this.readiness = Mono.just(false);
		ready(Duration.ofSeconds(5));
		stop(Duration.ofSeconds(1));
		this.readiness = Mono.just(true);
		readiness(ReadinessState.ACCEPTING_TRAFFIC);
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.CLOSED);
	}

	private void readiness(ReadinessState state) {
		this.startup.onReadiness(new AvailabilityChangeEvent<>(this, state));
		pass(Duration.ofSeconds(2));
	}

	@Test
	void aGateThatAFailureKeepsClosedIsNotGivenUp() {
		this.gate = gate(Gate.Position.CLOSED);
		this.script = (scenario, session) -> (this.notes.runs.size() < 3 && scenario.name().equals("first"))
				? unexpected(scenario, 500, true) : answered(scenario);
		ready(startup(runner()), Duration.ofHours(1));
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.notes.runs).extracting(RunRecord::verdict)
			.containsExactly(Verdict.DEGRADED, Verdict.DEGRADED, Verdict.DEGRADED, Verdict.WARM);
	}

	@ParameterizedTest
	@EnumSource(Gate.Position.class)
	void theGateOpensAtTheDeadlineWhateverTheRunWaitsFor(Gate.Position onFailure) {
		this.gate = gate(onFailure);
		this.script = (scenario, session) -> Flux.never();
		StartupRun startup = startup(runner());
		startup.start();
		pass(DEADLINE.dividedBy(2)); // counts only from when the application is ready
		ready(startup, DEADLINE.minusMillis(1));
		assertThat(this.gate.isOpen()).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.gate.isOpen()).isEqualTo(onFailure == Gate.Position.OPEN);
	}

	@Test
	void stoppingLetsTheRunCleanUpAndThenCallsBack() {
		Sinks.Empty<Void> cleanedUp = Sinks.empty();
		this.script = (scenario, session) -> answered(scenario)
			.concatWith(cleanedUp.asMono().thenMany(answered(scenario)));
		this.startup.start();
		ready(Duration.ofSeconds(1));
		stop(Duration.ofSeconds(4));
		assertThat(this.stopped).isEmpty();
		cleanedUp.tryEmitEmpty().orThrow();
		pass(Duration.ofSeconds(1));
		assertThat(this.stopped).hasSize(1);
		assertThat(this.startup.isRunning()).isFalse();
		assertThat(this.replayed).containsExactly("first");
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.TIMED_OUT);
	}

	@ParameterizedTest
	@EnumSource(names = { "STARTUP", "MANUAL" })
	void stoppingCancelsAnyRunThatHangsAfterFiveSeconds(Trigger trigger) {
		AtomicBoolean canceled = new AtomicBoolean();
		this.script = (scenario, session) -> Flux.<Outcome>never().doOnCancel(() -> canceled.set(true));
		WarmupRunner runner = runner();
		StartupRun startup = startup(runner);
		if (trigger == Trigger.STARTUP) {
			ready(startup, Duration.ofSeconds(1));
		}
		else {
			runner.start(trigger);
		}
		startup.stop(() -> this.stopped.add("stopped"));
		pass(Duration.ofMillis(4_900));
		assertThat(canceled).isFalse();
		pass(Duration.ofMillis(200));
		assertThat(canceled).isTrue();
		assertThat(this.stopped).hasSize(1);
		assertThat(runner.isRunning()).isFalse();
	}

	@Test
	void stoppingEndsTheRepetitionOfFailedRuns() {
		failFor(Integer.MAX_VALUE);
		ready(Duration.ofSeconds(15));
		int runs = this.notes.runs.size();
		stop(Duration.ofHours(1));
		assertThat(this.stopped).hasSize(1);
		assertThat(this.notes.runs).hasSize(runs);
	}

	@Test
	void aRunThatFindsAnotherUnderWayIsRepeated() {
		WarmupRunner runner = runner();
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofSeconds(1));
		runner.startThrough(Trigger.STARTUP, GATEWAY);
		ready(startup(runner), Duration.ofMinutes(1));
		assertThat(this.notes.runs).hasSize(2);
		assertThat(this.state.phase().phase()).isEqualTo(Phase.WARM);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 80 })
	void aContextThatIsStartedAgainBeforeOrAfterItHasStoppedIsWarmed(int seconds) {
		this.script = (scenario, session) -> Flux.never();
		this.startup.start();
		ready(Duration.ofSeconds(1));
		stop(Duration.ofSeconds(seconds));
		assertThat(this.gate.isOpen()).as("no deadline").isFalse();
		this.script = (scenario, session) -> answered(scenario);
		this.startup.start();
		pass(Duration.ofMinutes(1));
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.state.phase().phase()).isEqualTo(Phase.WARM);
		assertThat(this.deregistrations).isEmpty();
	}

	@Test
	void aWarmContextThatIsStartedAgainIsNotWarmedAgain() {
		this.startup.start();
		ready(Duration.ofSeconds(1));
		stop(Duration.ofSeconds(1));
		this.startup.start();
		pass(Duration.ofMinutes(1));
		assertThat(this.notes.runs).hasSize(1);
	}

	@Test
	void aContextThatIsStartedAgainWhileItStopsDoesNotDeregister() {
		this.script = (scenario, session) -> Flux.never();
		this.startup.start();
		ready(Duration.ofSeconds(1));
		this.gate.onDeadline();
		stop(Duration.ZERO);
		this.startup.start();
		pass(Duration.ofSeconds(10));
		assertThat(this.stopped).hasSize(1);
		assertThat(this.deregistrations).isEmpty();
	}

	@Test
	void itStopsBeforeTheWebServerDoes() {
		assertThat(this.startup.getPhase()).isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
	}

	@Test
	void theInstanceDeregistersFromEveryGatewayAndWaitsForRequestsAlreadyRouted() {
		warmThenStop();
		assertThat(this.deregistrations).hasSize(2).allSatisfy((claim) -> {
			assertThat(claim.instanceId()).isEqualTo("host:1");
			assertThat(claim.jwt().filter(KEY::verifies)).isPresent();
			assertThat(SignedClaim.read(claim.jwt().orElseThrow()).orElseThrow().scope())
				.isEqualTo(SignedClaim.Scope.LEAVE);
		});
		assertThat(this.deregistrations)
			.extracting((claim) -> SignedClaim.read(claim.jwt().orElseThrow()).orElseThrow().audience())
			.containsExactly("gw-1", "gw-2");
		assertStoppedAfter(GatewayReporter.DEREGISTER_GRACE);
	}

	@Test
	void aGatewayThatHangsHoldsTheShutdownUpForTwoSecondsAtMost() {
		this.confirmed = (gateway) -> gateway.equals(GATEWAY) ? Mono.never() : Mono.just(true);
		warmThenStop();
		assertThat(this.deregistrations).hasSize(2);
		assertStoppedAfter(GatewayReporter.DEREGISTER_LIMIT.plus(GatewayReporter.DEREGISTER_GRACE));
	}

	@Test
	void theShutdownDoesNotWaitWhereNoGatewayConfirms() {
		this.confirmed = (gateway) -> Mono.just(false);
		warmThenStop();
		assertThat(this.deregistrations).hasSize(2);
		assertThat(this.stopped).hasSize(1);
	}

	@Test
	void aRegistryThatIsGoneDoesNotDelayTheShutdownAndIsNotLogged() {
		ready(Duration.ofSeconds(1));
		this.gateways = Mono.error(new IllegalStateException("registry gone"));
		try (CapturedLog log = CapturedLog.of(WarmupRunner.class)) {
			stop(Duration.ZERO);
			assertThat(log.lines()).isEmpty();
		}
		assertThat(this.stopped).hasSize(1);
	}

	@Test
	void anInstanceWhoseGateIsClosedDoesNotDeregister() {
		stop(Duration.ZERO);
		assertThat(this.stopped).hasSize(1);
		assertThat(this.deregistrations).isEmpty();
	}

	private void warmThenStop() {
		this.gateways = Mono.just(gateways(2));
		ready(Duration.ofSeconds(1));
		stop(Duration.ZERO);
	}

	private void assertStoppedAfter(Duration duration) {
		pass(duration.minusMillis(1));
		assertThat(this.stopped).isEmpty();
		pass(Duration.ofMillis(1));
		assertThat(this.stopped).hasSize(1);
	}

	private StartupRun startup(WarmupRunner runner) {
		return new StartupRun(runner, this.state, this.gate, Trigger.STARTUP, DEADLINE, this.time);
	}

	private void ready(Duration then) {
		ready(this.startup, then);
	}

	private void ready(StartupRun startup, Duration then) {
		startup.onApplicationEvent(Mockito.mock(ApplicationReadyEvent.class));
		pass(then);
	}

	private void stop(Duration then) {
		this.startup.stop(() -> this.stopped.add("stopped"));
		pass(then);
	}

	private void failFor(int runs) {
		this.script = (scenario, session) -> {
			if (scenario.name().equals("first")) {
				this.runsAt.add(Duration.ofNanos(nanoTime()));
			}
			return (this.runsAt.size() <= runs) ? unexpected(scenario, 500, true) : answered(scenario);
		};
	}

}
