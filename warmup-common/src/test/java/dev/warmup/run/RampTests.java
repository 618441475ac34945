package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** When the gate opens before a run has ended, and what follows. */
class RampTests extends RunFixture {

	/** A request takes so long, and is steady after so many answers. */
	private Duration latency = Duration.ofMillis(100);

	/** How many requests were sent beside users. */
	private int sent;

	@BeforeEach
	void ramps() {
		this.budget = Duration.ofSeconds(30);
		this.rampWindow = Duration.ofSeconds(60);
		this.siblings = 1;
		this.repetitions = 5;
		this.maxRepetitions = 100_000;
		this.criteria = steadyAfter(100_000);
		this.script = (scenario, session) -> answeredAfter(scenario, this.latency);
	}

	/** Whatever the JVM of the test does. */
	private static RunSettings.SteadyCriteria steadyAfter(int answers) {
		return new RunSettings.SteadyCriteria(0.1, 0.3, answers, 1_000, 1_000_000, 1_000);
	}

	/**
	 * By when the scenarios have their minimum, ten seconds after the first answer, or
	 * when the budget is spent.
	 */
	@ParameterizedTest
	@CsvSource(textBlock = """
			# siblings, cached, latency, repetitions, the first takes longer by, opened at
			1, false, PT0.1S,  5, PT0S,   1.0
			1, false, PT3S,    5, PT0S,  13.0
			1, false, PT0.1S, 50, PT6S,  10.1
			0, false, PT0.1S,  5, PT31S, 31.1
			0, true,  PT0.1S,  5, PT0S,  10.1
			0, true,  PT2S,    5, PT0S,  20.0
			""")
	void theGateOpensWhileTheRunGoesOn(long siblings, boolean cached, Duration latency, int repetitions,
			Duration longer, double openedAt) {
		this.siblings = siblings;
		this.cached = cached;
		this.repetitions = repetitions;
		this.script = (scenario, session) -> (nanoTime() > 0) ? answeredAfter(scenario, latency)
				: answeredAfter(scenario, latency).concatWith(answeredAfter(scenario, longer));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(60));
		assertThat(run).isNotDone();
		assertThat(this.history).containsExactly("phase WARMING", "open at " + openedAt + " s", "phase RAMPING",
				"report RAMPING OPEN gw-1");
		assertThat(this.reports.get(0).run().sent()).isPositive();
	}

	@Test
	void aSiblingIsOfNoUseUntilSomethingIsAnswered() {
		this.repetitions = 50;
		this.openAfter = Duration.ofMillis(500);
		this.script = (scenario, session) -> (nanoTime() < Duration.ofSeconds(5).toNanos())
				? unexpected(scenario, 500, true).delaySubscription(this.latency, this.time)
				: answeredAfter(scenario, this.latency);
		start();
		pass(Duration.ofSeconds(5));
		assertThat(this.gate.isOpen()).isFalse();
		pass(Duration.ofSeconds(3));
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aSiblingMayComeLater() {
		this.siblings = 0;
		start();
		pass(Duration.ofSeconds(5));
		assertThat(this.gate.isOpen()).isFalse();
		this.siblings = 2;
		pass(Duration.ofSeconds(1));
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aRunThatTheDeadlineOvertakesGoesOnBetweenUsersRequests() {
		this.siblings = 0;
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(runner.openAtDeadline()).isTrue();
		pass(Duration.ofSeconds(1));
		assertThat(this.history).containsExactly("phase WARMING", "open at 5.0 s", "phase RAMPING",
				"report RAMPING OPEN gw-1");
		assertThat(runner.openAtDeadline()).isFalse();
	}

	@Test
	void anAnnouncementThatHasBegunGoesOnWhenTheRunEnds() {
		this.openAfter = Duration.ofMillis(500);
		this.criteria = steadyAfter(5);
		this.readiness = Mono.delay(Duration.ofMillis(1500), this.time).thenReturn(true);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(20));
		assertThat(run).isDone();
		assertThat(this.history).containsExactly("phase WARMING", "open at 0.6 s", "phase RAMPING",
				"report RAMPING OPEN gw-1", "phase WARM", "report WARM CLOSED gw-1");
	}

	@Test
	void gatewaysThatTheRunDoesNotGoThroughOrThatCameLaterGetTheReportOfTheRampToo() {
		this.criteria = steadyAfter(50);
		this.gateways = Mono.fromSupplier(() -> gateways((nanoTime() == 0) ? 4 : 5));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofMinutes(1));
		assertThat(run).isDone();
		assertThat(history("report RAMPING OPEN")).extracting((report) -> report.substring(20))
			.containsExactlyInAnyOrder("gw-1", "gw-2", "gw-3", "gw-4", "gw-5");
		assertThat(history("report WARM CLOSED")).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aGatewayThatIsGoneKeepsNoUsersFromWhatIsWarmOrDegradedThroughAnother(boolean degraded) {
		this.siblings = 0;
		this.criteria = steadyAfter(5);
		this.gateways = Mono.just(gateways(2));
		unroutable(OTHER_GATEWAY, Duration.ofDays(1));
		if (degraded) {
			firstFails();
		}
		start();
		pass(Duration.ofSeconds(10));
		assertThat(this.history).startsWith("phase WARMING").contains("phase RAMPING", "report RAMPING OPEN gw-1");
	}

	@Test
	void aRunThatEndsAnnouncesTheOpeningInPlaceOfALateReportOfItsRamp() {
		this.criteria = steadyAfter(50);
		this.readiness = Mono.fromSupplier(() -> nanoTime() > Duration.ofSeconds(3).toNanos());
		this.accepted = (gateway) -> (this.reports.size() == 2) ? Mono.never() : Mono.just(true);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofMinutes(1));
		assertThat(run).isDone();
		assertThat(history("report")).containsExactly("report RAMPING CLOSED gw-1", "report RAMPING OPEN gw-1",
				"report WARM OPEN gw-1");
	}

	@Test
	void anApplicationThatAcceptsUsersLateIsAnnouncedAlthoughTheRunGoesOn() {
		this.readiness = Mono.fromSupplier(() -> nanoTime() > Duration.ofSeconds(5).toNanos());
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(7));
		assertThat(run).isNotDone();
		assertThat(history("report")).containsExactly("report RAMPING CLOSED gw-1", "report RAMPING OPEN gw-1");
	}

	@Test
	void waitsThatAGatewayRequestsDoNotProlongTheRamp() {
		this.script = (scenario, session) -> answeredAfter(scenario, this.latency)
			.doFirst(() -> session.budget().extend(Duration.ofSeconds(5)));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(60));
		assertThat(run).isNotDone();
		pass(Duration.ofSeconds(3));
		assertThat(run).isDone();
	}

	@ParameterizedTest
	@MethodSource("lost")
	void theReportOfTheRampReachesKnownGatewaysWhereDiscoveryIsLost(Mono<List<Gateway>> lost) {
		start();
		pass(Duration.ofMillis(500));
		this.gateways = lost;
		pass(Duration.ofSeconds(3));
		assertThat(history("report")).containsExactly("report RAMPING OPEN gw-1");
	}

	static Stream<Mono<List<Gateway>>> lost() {
		return Stream.of(Mono.never(), Mono.error(new IllegalStateException("gone")), Mono.just(List.of()));
	}

	@Test
	void withoutASiblingTheGateOpensWhenTheBudgetIsSpentAndTheRunGoesOnForTheWindow() {
		this.siblings = 0;
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(31));
		assertThat(this.history).containsExactly("phase WARMING", "open at 30.2 s", "phase RAMPING",
				"report RAMPING OPEN gw-1");
		int before = this.replayed.size();
		pass(Duration.ofSeconds(58));
		assertThat(run).isNotDone();
		assertThat(this.replayed).hasSizeGreaterThan(before + 500);
		pass(Duration.ofSeconds(3));
		assertThat(run).isDone();
		assertThat(run.join()).extracting(RunRecord::verdict).containsExactly(Verdict.TIMED_OUT);
		assertThat(this.history).endsWith("phase DEGRADED", "report DEGRADED CLOSED gw-1");
	}

	/** It has its full share of users by then. */
	@Test
	void aRunAfterADegradedOneHasNoRamp() {
		this.openAfter = Duration.ofMinutes(1);
		this.criteria = steadyAfter(5);
		firstFails();
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(runner.isRunning()).isFalse();
		this.script = (scenario, session) -> answeredAfter(scenario, Duration.ofSeconds(1));
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(8));
		assertThat(runner.isRunning()).isTrue();
		assertThat(history("phase")).containsExactly("phase WARMING", "phase DEGRADED");
	}

	@Test
	void aRunThatIsSteadyAtOnceHasNoRamp() {
		this.latency = Duration.ofSeconds(1);
		this.openAfter = Duration.ofMinutes(1);
		this.criteria = steadyAfter(5);
		assertThat(run()).extracting(RunRecord::verdict).isEqualTo(Verdict.WARM);
		assertThat(history("phase")).containsExactly("phase WARMING", "phase WARM");
	}

	@Test
	void withoutAWindowTheGateOpensWhenTheRunEnds() {
		this.rampWindow = Duration.ZERO;
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(29));
		assertThat(this.gate.isOpen()).isFalse();
		pass(Duration.ofSeconds(2));
		assertThat(run).isDone();
		assertThat(this.gate.isOpen()).isTrue();
	}

	/** Without a policy the gate is off, and users come from the start. */
	@ParameterizedTest
	@CsvSource({ "MANUAL, OPEN", "TRAIN, OPEN", "STARTUP, CLOSED", "STARTUP, " })
	void onlyTheRunAtTheStartHasARampAndWhereItMayOpenTheGate(Trigger trigger, Gate.@Nullable Position onFailure) {
		this.startupTrigger = (trigger == Trigger.TRAIN) ? Trigger.TRAIN : Trigger.STARTUP;
		this.gate = (onFailure != null) ? gate(onFailure) : Gate.open();
		CompletableFuture<List<RunRecord>> run = runner().run(trigger).toFuture();
		pass(Duration.ofSeconds(29));
		assertThat(this.history).containsExactly("phase WARMING");
		pass(Duration.ofSeconds(2));
		assertThat(run).isDone();
		assertThat(history("phase")).containsExactly("phase WARMING", "phase DEGRADED");
		assertThat(this.gate.isOpen()).isEqualTo(onFailure != Gate.Position.CLOSED);
	}

	/** Whether the opening is due before the budget is spent or not. */
	@ParameterizedTest
	@CsvSource({ "1, PT0.1S", "0, PT4S" })
	void aRunThatFailsHasNoRamp(int siblings, Duration latency) {
		this.siblings = siblings;
		this.openAfter = Duration.ofMillis(500);
		this.script = (scenario, session) -> unexpected(scenario, 500, true).delaySubscription(latency, this.time);
		assertThat(run()).extracting(RunRecord::verdict).isEqualTo(Verdict.FAILED);
		assertThat(history("phase")).containsExactly("phase WARMING", "phase FAILED");
	}

	@Test
	void aRunThatFailedThroughOneGatewayOpensNothingWhileAnotherGoesOn() {
		this.criteria = steadyAfter(5);
		this.gateways = Mono.just(gateways(2));
		this.script = (scenario, session) -> session.gateway().equals(OTHER_GATEWAY.uri()) ? Flux.never()
				: unexpected(scenario, 500, true).delaySubscription(this.latency, this.time);
		start();
		pass(Duration.ofSeconds(20));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED);
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void aGatewayThatStartsDuringARampIsWarmedBesideIt() {
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> own = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofMillis(500));
		assertThat(runner.startThrough(Trigger.STARTUP, OTHER_GATEWAY)).as("its users wait").isEmpty();
		pass(Duration.ofSeconds(1));
		assertThat(runner.startThrough(Trigger.IDLE, OTHER_GATEWAY)).as("no user waits").isEmpty();
		Optional<String> id = runner.startThrough(Trigger.STARTUP, OTHER_GATEWAY);
		assertThat(id).isPresent();
		assertThat(runner.startThrough(Trigger.STARTUP, GATEWAY)).as("one at a time").isEmpty();
		assertThat(runner.start(Trigger.MANUAL)).isFalse();
		pass(Duration.ofSeconds(31));
		assertThat(this.notes.runs).singleElement().satisfies((run) -> {
			assertThat(id).hasValue(run.id());
			assertThat(run.gateway()).isEqualTo(OTHER_GATEWAY.id());
			assertThat(run.sent()).isGreaterThan(100);
		});
		assertThat(own).isNotDone();
		assertThat(history("phase")).containsExactly("phase WARMING", "phase RAMPING");
		assertThat(runner.startThrough(Trigger.STARTUP, OTHER_GATEWAY)).as("free again").isPresent();
		runner.stop();
		pass(Duration.ofSeconds(1));
		assertThat(own).isDone();
		assertThat(this.notes.runs).hasSize(3);
		assertThat(runner.isRunning()).isFalse();
	}

	@Test
	void aRunBesideARampThatOutlivesItAllowsNoOther() {
		this.rampWindow = Duration.ofSeconds(5);
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> own = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofMillis(1500));
		assertThat(runner.startThrough(Trigger.STARTUP, OTHER_GATEWAY)).isPresent();
		pass(Duration.ofSeconds(10));
		assertThat(own).isDone();
		assertThat(runner.isRunning()).isTrue();
		assertThat(runner.startThrough(Trigger.STARTUP, GATEWAY)).isEmpty();
		assertThat(runner.start(Trigger.MANUAL)).isFalse();
	}

	@Test
	void besideUsersARunSendsOneScenarioAtATime() {
		this.concurrency = 2;
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.history).contains("phase RAMPING");
		int before = this.replayed.size();
		this.most = 0;
		pass(Duration.ofSeconds(5));
		assertThat(this.replayed).hasSizeGreaterThan(before + 10);
		assertThat(this.most).isEqualTo(1);
	}

	@Test
	void requestsWaitForAGapBetweenUsersRequestsButNotForEver() {
		besideUsers();
		this.users.begin();
		pass(Duration.ofMillis(900));
		assertThat(sentWithin(Duration.ofMillis(20))).as("a user's request is in flight").isZero();
		this.users.end();
		assertThat(sentWithin(Duration.ofMillis(20))).as("a user may send the next request at once").isZero();
		this.clock.advance(Duration.ofMillis(10));
		assertThat(sentWithin(Duration.ofMillis(10))).isPositive();
		this.users.begin();
		assertThat(sentWithin(Duration.ofSeconds(10))).as("steady load").isBetween(8, 10);
		this.clock.advance(Duration.ofMillis(200));
		pass(Duration.ofMillis(100));
		assertThat(sentWithin(Duration.ofSeconds(1))).as("it may be a stream").isBetween(6, 10);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(sentWithin(Duration.ofSeconds(1))).as("as fast as without it").isBetween(50, 100);
	}

	@Test
	void aRunBesideUsersPausesNineTimesAsLongAsItsRequestsTake() {
		besideUsers();
		this.users.begin();
		this.users.end();
		this.clock.advance(Duration.ofMillis(10));
		pass(Duration.ofMillis(100));
		assertThat(sentWithin(Duration.ofSeconds(4))).as("10 ms each").isBetween(35, 40);
		this.clock.advance(Duration.ofSeconds(1));
		pass(Duration.ofMillis(100));
		assertThat(sentWithin(Duration.ofSeconds(1))).as("no user for a second").isBetween(90, 100);
	}

	private void besideUsers() {
		this.script = this::answeredInGaps;
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.gate.isOpen()).isTrue();
	}

	/** As the replayer does: each request waits for a gap. */
	private Flux<Outcome> answeredInGaps(Scenario scenario, Session session) {
		return answered(scenario).concatMap((outcome) -> session.gap()
			.then(Mono.fromRunnable(() -> this.sent++))
			.then(Mono.just(outcome).delayElement(Duration.ofMillis(10), this.time)), 0);
	}

	private int sentWithin(Duration duration) {
		int before = this.sent;
		pass(duration);
		return this.sent - before;
	}

	@Test
	void aRunAfterOneThatFailedGoesOnBetweenUsersOnceSomethingIsAnswered() {
		pass(Duration.ofMinutes(2));
		this.gateways = Mono.just(List.of());
		this.repetitions = 50;
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(45));
		this.gateways = Mono.just(List.of(GATEWAY));
		this.script = (scenario, session) -> unexpected(scenario, 500, true).delaySubscription(this.latency, this.time);
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(history("phase")).containsExactly("phase FAILED", "phase WARMING");
		this.script = this::answeredInGaps;
		this.users.begin();
		assertThat(sentWithin(Duration.ofSeconds(4))).as("between users' requests").isBetween(1, 4);
		assertThat(this.history).as("no gateway knew of the opening")
			.endsWith("phase WARMING", "phase RAMPING", "report RAMPING OPEN gw-1");
	}

	@Test
	void anInstanceThatHasHadUsersForLongerThanTheWindowDoesNotRamp() {
		this.gateways = Mono.just(List.of());
		WarmupRunner runner = runner();
		await(runner.run(Trigger.STARTUP));
		assertThat(this.gate.isOpen()).isTrue();
		this.gateways = Mono.just(List.of(GATEWAY));
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(history("phase")).containsExactly("phase FAILED", "phase WARMING");
	}

	@Test
	void aRunWhoseGateOpenedBeforeThereWasAGatewayGoesOnBetweenUsers() {
		this.gateways = Mono.just(List.of());
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(runner.openAtDeadline()).isTrue();
		this.gateways = Mono.just(List.of(GATEWAY));
		pass(Duration.ofSeconds(10));
		assertThat(this.history).containsExactly("open at 5.0 s", "phase WARMING", "phase RAMPING",
				"report RAMPING OPEN gw-1");
	}

	@Test
	void aRunWhoseBudgetEndsWhileAnotherOpensTheGateGoesOnAfterwards() {
		List<String> order = new ArrayList<>();
		Ramp[] ramp = new Ramp[1];
		RunRecord soFar = run();
		ramp[0] = new Ramp(() -> true, true, () -> false, () -> {
			ramp[0].start(soFar).then(ramp[0].whenDecided()).subscribe(null, null, () -> order.add("goes on"));
			order.add("open");
			return true;
		}, (record) -> Mono.empty(), this.users, this.timing);
		ramp[0].whenStarted().subscribe(null, null, () -> order.add("budgets begin anew"));
		ramp[0].start(soFar).subscribe();
		assertThat(order).containsExactly("open", "budgets begin anew", "goes on");
	}

	@Test
	void aGatewayThatIsFoundLaterHasWhatIsLeftOfTheWindow() {
		this.gateways = Mono.just(gateways(2));
		unroutable(OTHER_GATEWAY, Duration.ofSeconds(25));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(30));
		assertThat(this.gate.isOpen()).isTrue();
		pass(Duration.ofSeconds(33));
		assertThat(run).isDone();
	}

	@Test
	void onlyTheFirstRunIsUndisturbedAndOnlyWhileNoUserComes() {
		assertThat(ramp(true).isUndisturbed()).isTrue();
		assertThat(ramp(false).isUndisturbed()).isFalse();
		this.users.begin();
		this.users.end();
		assertThat(ramp(true).isUndisturbed()).isFalse();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(ramp(true).isUndisturbed()).isTrue();
	}

	private Ramp ramp(boolean first) {
		return new Ramp(() -> first, true, () -> false, () -> true, (run) -> Mono.empty(), this.users, this.timing);
	}

	/** With a sibling, the gate would open a second after the run is stopped. */
	@ParameterizedTest
	@CsvSource({ "0, PT0.1S, 5", "1, PT4S, 13" })
	void aRunThatIsStoppedOpensNoGate(int siblings, Duration latency, long stoppedAfter) {
		this.siblings = siblings;
		this.latency = latency;
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> run = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(stoppedAfter));
		runner.stop();
		pass(Duration.ofSeconds(10));
		assertThat(run).isDone();
		assertThat(this.gate.isOpen()).isFalse();
	}

	private CompletableFuture<List<RunRecord>> start() {
		return runner().run(Trigger.STARTUP).toFuture();
	}

}
