package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** When the gate opens before a run has ended, and what follows. */
class RampTests extends RunFixture {

	/** A request takes so long, and is steady after so many answers. */
	private Duration latency = Duration.ofMillis(100);

	@BeforeEach
	void ramps() {
		this.budget = Duration.ofSeconds(30);
		this.rampWindow = Duration.ofSeconds(60);
		this.repetitions = 5;
		this.maxRepetitions = 100_000;
		this.criteria = steadyAfter(100_000);
		this.script = (scenario, session) -> answeredAfter(scenario, this.latency);
	}

	/** Whatever the JVM of the test does. */
	private static RunSettings.SteadyCriteria steadyAfter(int answers) {
		return new RunSettings.SteadyCriteria(0.1, 0.3, answers, 1_000, 1_000_000, 1_000);
	}

	@Test
	void besideASiblingTheGateOpensOnceEachRequestHadItsMinimum() {
		this.siblings = 1;
		start();
		pass(Duration.ofMillis(1100));
		assertThat(this.openedAt).singleElement().satisfies(RampTests::isAboutASecond);
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
		assertThat(this.reports).singleElement().satisfies((report) -> {
			assertThat(report.phase()).isEqualTo(Phase.RAMPING);
			assertThat(report.gate()).isEqualTo(Gate.Position.OPEN);
			assertThat(report.run().sent()).isGreaterThanOrEqualTo(15);
		});
	}

	private static void isAboutASecond(Duration duration) {
		assertThat(duration).isBetween(Duration.ofMillis(1000), Duration.ofMillis(1100));
	}

	@Test
	void besideASiblingTheGateOpensAfterAWhileHoweverSlowTheMinimumIs() {
		this.siblings = 1;
		this.latency = Duration.ofSeconds(3);
		start();
		pass(Duration.ofSeconds(14));
		// counted from the first answer
		assertThat(this.openedAt).containsExactly(Duration.ofSeconds(13));
	}

	@Test
	void otherRequestsOfTheFirstScenarioDoNotDelayTheOpening() {
		this.siblings = 1;
		this.repetitions = 50;
		this.script = (scenario, session) -> answeredAfter(scenario, this.latency)
			.concatWith(answeredAfter(scenario, Duration.ofSeconds(6)));
		start();
		pass(Duration.ofSeconds(12));
		assertThat(this.openedAt).containsExactly(Duration.ofMillis(10_100));
	}

	@Test
	void aRunWhoseFirstScenarioTookTheBudgetGoesOnAfterTheOpening() {
		this.script = (scenario, session) -> (nanoTime() > 0) ? answeredAfter(scenario, this.latency)
				: answeredAfter(scenario, this.latency).concatWith(answeredAfter(scenario, Duration.ofSeconds(31)));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(60));
		assertThat(this.openedAt).containsExactly(Duration.ofMillis(31_100));
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
		assertThat(run).isNotDone();
	}

	@Test
	void anInstanceWhoseJvmStartedFromACacheNeedsNoSibling() {
		this.cached = true;
		start();
		pass(Duration.ofSeconds(11));
		// counted from the first answer
		assertThat(this.openedAt).containsExactly(Duration.ofMillis(10_100));
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
	}

	@Test
	void anInstanceWhoseJvmStartedFromACacheSendsTheMinimumFirst() {
		this.cached = true;
		this.latency = Duration.ofSeconds(2);
		start();
		pass(Duration.ofSeconds(19));
		assertThat(this.openedAt).isEmpty();
		pass(Duration.ofSeconds(3));
		assertThat(this.openedAt).hasSize(1);
	}

	@Test
	void aSiblingIsOfNoUseUntilSomethingIsAnswered() {
		this.siblings = 1;
		this.repetitions = 50;
		this.openAfter = Duration.ofMillis(500);
		this.script = (scenario, session) -> (nanoTime() < Duration.ofSeconds(5).toNanos())
				? unexpected(scenario, 500, true).delaySubscription(this.latency, this.time)
				: answeredAfter(scenario, this.latency);
		start();
		pass(Duration.ofSeconds(5));
		assertThat(this.openedAt).isEmpty();
		pass(Duration.ofSeconds(3));
		assertThat(this.openedAt).hasSize(1);
	}

	@Test
	void aRunThatTheDeadlineOvertakesGoesOnBetweenUsersRequests() {
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(5));
		assertThat(runner.openAtDeadline()).isTrue();
		pass(Duration.ofSeconds(1));
		assertThat(this.openedAt).containsExactly(Duration.ofSeconds(5));
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
		assertThat(this.reports).singleElement().satisfies((report) -> {
			assertThat(report.phase()).isEqualTo(Phase.RAMPING);
			assertThat(report.gate()).isEqualTo(Gate.Position.OPEN);
		});
		assertThat(runner.openAtDeadline()).isFalse();
	}

	@Test
	void anAnnouncementThatHasBegunGoesOnWhenTheRunEnds() {
		this.siblings = 1;
		this.openAfter = Duration.ofMillis(500);
		this.criteria = steadyAfter(5);
		this.readiness = Mono.delay(Duration.ofMillis(1500), this.time).thenReturn(true);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(20));
		assertThat(run).isDone();
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING, Phase.WARM);
		assertThat(this.reports).extracting(RunReport::phase).containsExactly(Phase.RAMPING, Phase.WARM);
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.OPEN, Gate.Position.CLOSED);
	}

	@Test
	void gatewaysThatTheRunDoesNotGoThroughGetTheReportOfTheRampToo() {
		this.siblings = 1;
		this.criteria = steadyAfter(50);
		List<Gateway> five = IntStream.rangeClosed(1, 5)
			.mapToObj((i) -> new Gateway("gw-" + i, URI.create("http://gw-" + i + ".invalid")))
			.toList();
		this.gateways = Mono.just(five);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofMinutes(1));
		assertThat(run).isDone();
		assertThat(run.join()).hasSize(3);
		assertThat(this.reportedTo.subList(0, 5)).containsExactlyInAnyOrderElementsOf(five);
		assertThat(this.reportedTo.subList(5, 8)).containsExactlyInAnyOrderElementsOf(five.subList(0, 3));
	}

	@Test
	void aGatewayThatIsGoneKeepsNoUsersFromWhatIsWarmThroughAnother() {
		otherGatewayIsGone();
		start();
		pass(Duration.ofSeconds(10));
		assertThat(this.openedAt).hasSize(1);
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
	}

	@Test
	void aGatewayThatIsGoneKeepsNoUsersFromWhatIsDegradedThroughAnother() {
		otherGatewayIsGone();
		this.script = (scenario, session) -> scenario.name().equals("first") ? unexpected(scenario, 500, true)
				: answeredAfter(scenario, this.latency);
		start();
		pass(Duration.ofSeconds(10));
		assertThat(this.openedAt).hasSize(1);
	}

	private void otherGatewayIsGone() {
		this.criteria = steadyAfter(5);
		this.gateways = Mono.just(List.of(GATEWAY, OTHER_GATEWAY));
		this.check = (gateway) -> gateway.equals(GATEWAY) ? Mono.empty()
				: Mono.error(new Retries.NoRouteException("connection refused"));
	}

	@Test
	void aRunThatEndsAnnouncesTheOpeningInPlaceOfALateReportOfItsRamp() {
		this.siblings = 1;
		this.criteria = steadyAfter(50);
		this.readiness = Mono.fromSupplier(() -> nanoTime() > Duration.ofSeconds(3).toNanos());
		this.accepted = (gateway) -> (this.reports.size() == 2) ? Mono.never() : Mono.just(true);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofMinutes(1));
		assertThat(run).isDone();
		assertThat(this.reports).extracting(RunReport::phase).containsExactly(Phase.RAMPING, Phase.RAMPING, Phase.WARM);
		assertThat(this.reports).extracting(RunReport::gate)
			.containsExactly(Gate.Position.CLOSED, Gate.Position.OPEN, Gate.Position.OPEN);
	}

	@Test
	void anApplicationThatAcceptsUsersLateIsAnnouncedAlthoughTheRunGoesOn() {
		this.siblings = 1;
		this.readiness = Mono.fromSupplier(() -> nanoTime() > Duration.ofSeconds(5).toNanos());
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(7));
		assertThat(run).isNotDone();
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.CLOSED, Gate.Position.OPEN);
		assertThat(this.reports).extracting(RunReport::phase).containsOnly(Phase.RAMPING);
	}

	@Test
	void waitsThatAGatewayRequestsDoNotProlongTheRamp() {
		this.siblings = 1;
		this.script = (scenario, session) -> answeredAfter(scenario, this.latency)
			.doFirst(() -> session.budget().extend(Duration.ofSeconds(5)));
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(60));
		assertThat(run).isNotDone();
		pass(Duration.ofSeconds(3));
		assertThat(run).isDone();
	}

	@Test
	void aGatewayThatCameLaterGetsTheReportOfTheRamp() {
		this.siblings = 1;
		start();
		pass(Duration.ofMillis(500));
		assertThat(this.openedAt).isEmpty();
		this.gateways = Mono.just(List.of(GATEWAY, OTHER_GATEWAY));
		pass(Duration.ofMillis(600));
		assertThat(this.openedAt).hasSize(1);
		assertThat(this.reportedTo).containsExactlyInAnyOrder(GATEWAY, OTHER_GATEWAY);
	}

	@ParameterizedTest
	@MethodSource("lost")
	void theReportOfTheRampReachesKnownGatewaysWhereDiscoveryIsLost(Mono<List<Gateway>> lost) {
		this.siblings = 1;
		start();
		pass(Duration.ofMillis(500));
		this.gateways = lost;
		pass(Duration.ofSeconds(3));
		assertThat(this.openedAt).hasSize(1);
		assertThat(this.reportedTo).containsExactly(GATEWAY);
	}

	static Stream<Mono<List<Gateway>>> lost() {
		return Stream.of(Mono.never(), Mono.error(new IllegalStateException("gone")), Mono.just(List.of()));
	}

	@Test
	void aSiblingMayComeLater() {
		start();
		pass(Duration.ofSeconds(5));
		assertThat(this.openedAt).isEmpty();
		this.siblings = 2;
		pass(Duration.ofSeconds(1));
		assertThat(this.openedAt).hasSize(1);
	}

	@Test
	void withoutASiblingTheGateOpensWhenTheBudgetIsSpentAndTheRunGoesOnForTheWindow() {
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(31));
		assertThat(this.openedAt).hasSize(1);
		assertThat(this.openedAt.get(0)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
		int sent = this.replayed.size();
		pass(Duration.ofSeconds(58));
		assertThat(run).isNotDone();
		assertThat(this.replayed).hasSizeGreaterThan(sent + 500);
		pass(Duration.ofSeconds(3));
		assertThat(run).isDone();
		assertThat(run.join()).extracting(RunRecord::verdict).containsExactly(Verdict.TIMED_OUT);
		assertThat(this.reports).extracting(RunReport::phase).containsExactly(Phase.RAMPING, Phase.DEGRADED);
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.OPEN, Gate.Position.CLOSED);
	}

	@Test
	void aRunThatIsSteadyAtOnceHasNoRamp() {
		this.siblings = 1;
		this.latency = Duration.ofSeconds(1);
		this.openAfter = Duration.ofMinutes(1);
		this.criteria = steadyAfter(5);
		assertThat(run()).extracting(RunRecord::verdict).isEqualTo(Verdict.WARM);
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.WARM);
	}

	@Test
	void withoutAWindowTheGateOpensWhenTheRunEnds() {
		this.siblings = 1;
		this.rampWindow = Duration.ZERO;
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(29));
		assertThat(this.openedAt).isEmpty();
		pass(Duration.ofSeconds(2));
		assertThat(run).isDone();
		assertThat(this.openedAt).hasSize(1);
	}

	@Test
	void aGatewayThatStartsDuringARampIsWarmedBesideIt() {
		this.siblings = 1;
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
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
		assertThat(runner.startThrough(Trigger.STARTUP, OTHER_GATEWAY)).as("free again").isPresent();
		runner.stop();
		pass(Duration.ofSeconds(1));
		assertThat(own).isDone();
		assertThat(this.notes.runs).hasSize(3);
		assertThat(runner.isRunning()).isFalse();
	}

	@Test
	void aRunBesideARampThatOutlivesItAllowsNoOther() {
		this.siblings = 1;
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
	void aGateThatAFailureKeepsClosedOpensForNoRamp() {
		this.siblings = 1;
		this.gate = gate(Gate.Position.CLOSED);
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(31));
		assertThat(run).isDone();
		assertThat(this.openedAt).isEmpty();
		assertThat(this.notes.phases).doesNotContain(Phase.RAMPING);
	}

	/** Whether the opening is due before the budget is spent or not. */
	@ParameterizedTest
	@CsvSource({ "1, PT0.1S", "0, PT4S" })
	void aRunThatFailsHasNoRamp(int others, Duration latency) {
		this.siblings = others;
		this.latency = latency;
		this.openAfter = Duration.ofMillis(500);
		this.script = (scenario, session) -> unexpected(scenario, 500, true).delaySubscription(this.latency, this.time);
		assertThat(run()).extracting(RunRecord::verdict).isEqualTo(Verdict.FAILED);
		assertThat(this.notes.phases).doesNotContain(Phase.RAMPING);
	}

	@Test
	void aRunThatFailsAfterTheGateOpenedDoesNotRampUntilSomethingIsAnswered() {
		this.gateways = Mono.just(List.of());
		this.repetitions = 50;
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(45));
		assertThat(this.openedAt).hasSize(1);
		this.gateways = Mono.just(List.of(GATEWAY));
		this.script = (scenario, session) -> (nanoTime() < Duration.ofSeconds(50).toNanos())
				? unexpected(scenario, 500, true).delaySubscription(this.latency, this.time)
				: answeredAfter(scenario, this.latency);
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(this.notes.phases).doesNotContain(Phase.RAMPING);
		pass(Duration.ofSeconds(3));
		assertThat(this.notes.phases).endsWith(Phase.RAMPING);
	}

	@Test
	void besideUsersARunSendsOneScenarioAtATime() {
		this.siblings = 1;
		this.concurrency = 2;
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.notes.phases).endsWith(Phase.RAMPING);
		int before = this.replayed.size();
		this.most = 0;
		pass(Duration.ofSeconds(5));
		assertThat(this.replayed).hasSizeGreaterThan(before + 10);
		assertThat(this.most).isEqualTo(1);
	}

	@Test
	void aRunThatFailedThroughOneGatewayOpensNothingWhileAnotherGoesOn() {
		this.gateways = Mono.just(List.of(GATEWAY, OTHER_GATEWAY));
		this.script = (scenario, session) -> session.gateway().equals(GATEWAY.uri()) ? unexpected(scenario, 500, true)
				: Flux.never();
		start();
		pass(Duration.ofSeconds(20));
		assertThat(this.replayed).hasSizeGreaterThan(10);
		assertThat(this.openedAt).isEmpty();
	}

	@Test
	void aUserWhoWaitsForLongMayHoldAStream() {
		List<Duration> sent = new ArrayList<>();
		this.script = (scenario, session) -> answered(scenario, session, sent);
		this.siblings = 1;
		start();
		pass(Duration.ofSeconds(2));
		this.users.begin();
		this.clock.advance(Duration.ofMillis(200));
		pass(Duration.ofMillis(100));
		int before = sent.size();
		pass(Duration.ofSeconds(1));
		assertThat(sent.size() - before).isGreaterThan(5);
	}

	@Test
	void onlyTheRunAtTheStartHasARamp() {
		this.siblings = 1;
		runner().run(Trigger.MANUAL).toFuture();
		pass(Duration.ofSeconds(20));
		assertThat(this.openedAt).isEmpty();
	}

	@Test
	void aRunThatTrainsACacheHasNoRamp() {
		this.siblings = 1;
		this.startupTrigger = Trigger.TRAIN;
		runner().run(Trigger.TRAIN).toFuture();
		pass(Duration.ofSeconds(20));
		assertThat(this.openedAt).isEmpty();
	}

	@Test
	void anInstanceThatRefusesUsersIsNotAnnounced() {
		this.siblings = 1;
		this.readiness = Mono.just(false);
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.CLOSED);
	}

	@Test
	void requestsWaitForAGapBetweenUsersRequestsButNotForEver() {
		List<Duration> sent = new ArrayList<>();
		this.script = (scenario, session) -> answered(scenario, session, sent);
		this.siblings = 1;
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.openedAt).hasSize(1);
		this.users.begin();
		pass(Duration.ofMillis(900));
		int before = sent.size();
		pass(Duration.ofMillis(20));
		assertThat(sent).as("a user's request is in flight").hasSize(before);
		this.users.end();
		pass(Duration.ofMillis(20));
		assertThat(sent).as("a user may send the next request at once").hasSize(before);
		this.clock.advance(Duration.ofMillis(10));
		pass(Duration.ofMillis(10));
		assertThat(sent).hasSizeGreaterThan(before);
		this.users.begin();
		before = sent.size();
		pass(Duration.ofSeconds(10));
		assertThat(sent.size() - before).as("steady load").isBetween(8, 10);
		before = sent.size();
		this.clock.advance(Duration.ofSeconds(1)); // a stream
		pass(Duration.ofSeconds(1));
		assertThat(sent.size() - before).as("as fast as without it").isBetween(50, 100);
	}

	@Test
	void aRunBesideUsersPausesNineTimesAsLongAsItsRequestsTake() {
		List<Duration> sent = new ArrayList<>();
		this.script = (scenario, session) -> answered(scenario, session, sent);
		this.siblings = 1;
		start();
		pass(Duration.ofSeconds(2));
		this.users.begin();
		this.users.end();
		this.clock.advance(Duration.ofMillis(10));
		pass(Duration.ofMillis(100));
		int before = sent.size();
		pass(Duration.ofSeconds(4));
		assertThat(sent.size() - before).as("10 ms each").isBetween(35, 40);
		this.clock.advance(Duration.ofSeconds(1));
		pass(Duration.ofMillis(100));
		before = sent.size();
		pass(Duration.ofSeconds(1));
		assertThat(sent.size() - before).as("no user for a second").isBetween(90, 100);
	}

	@Test
	void aRunAfterOneThatFailedGoesOnBetweenTheUsersWhoComeAlready() {
		List<Duration> sent = new ArrayList<>();
		pass(Duration.ofMinutes(2));
		this.gateways = Mono.just(List.of());
		WarmupRunner runner = runner();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(45));
		assertThat(this.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED);
		assertThat(this.openedAt).hasSize(1);
		this.gateways = Mono.just(List.of(GATEWAY));
		this.script = (scenario, session) -> answered(scenario, session, sent);
		this.users.begin();
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(2));
		assertThat(sent).as("between users' requests").hasSizeBetween(1, 3);
		assertThat(this.notes.phases).containsExactly(Phase.FAILED, Phase.WARMING, Phase.RAMPING);
		assertThat(this.reports).extracting(RunReport::phase).containsExactly(Phase.RAMPING);
		assertThat(this.reports).extracting(RunReport::gate)
			.as("no gateway knew of it")
			.containsExactly(Gate.Position.OPEN);
	}

	@Test
	void anInstanceThatHasHadUsersForLongerThanTheWindowDoesNotRamp() {
		this.gateways = Mono.just(List.of());
		WarmupRunner runner = runner();
		await(runner.run(Trigger.STARTUP));
		assertThat(this.openedAt).hasSize(1);
		this.gateways = Mono.just(List.of(GATEWAY));
		runner.run(Trigger.STARTUP).subscribe();
		pass(Duration.ofSeconds(5));
		assertThat(this.notes.phases).containsExactly(Phase.FAILED, Phase.WARMING);
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
		assertThat(this.notes.phases).containsExactly(Phase.WARMING, Phase.RAMPING);
		assertThat(this.reports).extracting(RunReport::gate).containsExactly(Gate.Position.OPEN);
	}

	@Test
	void whereTheGateIsOffUsersComeAndNothingRamps() {
		this.gate = Gate.open();
		this.siblings = 1;
		start();
		pass(Duration.ofSeconds(2));
		assertThat(this.notes.phases).containsExactly(Phase.WARMING);
		assertThat(this.reports).isEmpty();
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
		this.siblings = 1;
		this.gateways = Mono.just(List.of(GATEWAY, OTHER_GATEWAY));
		this.check = (gateway) -> gateway.equals(OTHER_GATEWAY) && nanoTime() < Duration.ofSeconds(25).toNanos()
				? Mono.error(new Retries.NoRouteException("not yet")) : Mono.empty();
		CompletableFuture<List<RunRecord>> run = start();
		pass(Duration.ofSeconds(30));
		assertThat(this.openedAt).hasSize(1);
		pass(Duration.ofSeconds(33));
		assertThat(run).isDone();
	}

	/** As the replayer does: each request waits for a gap. */
	private Flux<Outcome> answered(Scenario scenario, Session session, List<Duration> sent) {
		return answered(scenario).concatMap((outcome) -> session.gap()
			.then(Mono.fromRunnable(() -> sent.add(Duration.ofNanos(nanoTime()))))
			.then(Mono.just(outcome).delayElement(Duration.ofMillis(10), this.time)), 0);
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
	@CsvSource({ "0, 100, 5", "1, 4000, 13" })
	void aRunThatIsStoppedOpensNoGate(int siblings, long latency, long stoppedAfter) {
		this.siblings = siblings;
		this.latency = Duration.ofMillis(latency);
		WarmupRunner runner = runner();
		CompletableFuture<List<RunRecord>> run = runner.run(Trigger.STARTUP).toFuture();
		pass(Duration.ofSeconds(stoppedAfter));
		runner.stop();
		pass(Duration.ofSeconds(10));
		assertThat(run).isDone();
		assertThat(this.openedAt).isEmpty();
	}

	private CompletableFuture<List<RunRecord>> start() {
		return runner().run(Trigger.STARTUP).toFuture();
	}

}
