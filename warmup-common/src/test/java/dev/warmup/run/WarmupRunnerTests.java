package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.warmup.Catalogs;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WarmupRunnerTests {

	private final RunFixture fixture = new RunFixture();

	private InstanceSource instance = () -> RunFixture.SELF;

	private CatalogSource catalogs = () -> RunFixture.CATALOG;

	private GatewayLocator gateways = locator(Mono.just(List.of(RunFixture.GATEWAY)));

	@Test
	void aRunGoesThroughEveryGatewayInTurnAndConcludesOnce() {
		this.gateways = locator(Mono.just(List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY)));
		List<RunRecord> runs = run();
		assertThat(runs).extracting(RunRecord::gateway).containsExactly("gw-1", "gw-2");
		assertThat(runs).extracting(RunRecord::verdict).containsOnly(Verdict.WARM);
		assertThat(runs).extracting(RunRecord::id).doesNotHaveDuplicates();
		assertThat(this.fixture.reportedTo).containsExactly(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);
		assertThat(this.fixture.notes.runs).isEqualTo(runs);
		assertThat(this.fixture.notes.conclusions).containsExactly(Optional.of(Phase.WARM));
		assertThat(this.fixture.notes.phases).containsExactly(Phase.WARMING, Phase.WARM);
	}

	@Test
	void aGatewayThatIsGoneLeavesTheNextItsShareOfTheBudget() {
		this.gateways = locator(Mono.just(List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY)));
		this.fixture.replayer.script = (scenario, session) -> session.gateway().equals(RunFixture.GATEWAY.uri())
				? RunFixture.failed(scenario, "Connection refused") : RunFixture.answered(scenario);
		List<RunRecord> runs = run();
		assertThat(runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED, Verdict.WARM);
		assertThat(this.fixture.concludedAt()).isLessThanOrEqualTo(Duration.ofSeconds(30));
		assertThat(this.fixture.notes.conclusions).containsExactly(Optional.of(Phase.DEGRADED));
	}

	@Test
	void ofManyGatewaysTheFirstThreeGetAThirdOfTheBudgetEach() {
		this.gateways = locator(Mono.just(IntStream.range(0, 10)
			.mapToObj((i) -> new Gateway("gw-" + i, URI.create("http://gw-%d.invalid".formatted(i))))
			.toList()));
		List<Duration> budgets = new ArrayList<>();
		this.fixture.replayer.script = (scenario, session) -> {
			budgets.add(session.budget().remaining());
			return RunFixture.answered(scenario);
		};
		assertThat(run(runner())).extracting(RunRecord::gateway).containsExactly("gw-0", "gw-1", "gw-2");
		assertThat(budgets).isNotEmpty()
			.allSatisfy((left) -> assertThat(left).isGreaterThanOrEqualTo(Duration.ofSeconds(20)));
	}

	@Test
	void twoRunsNeverGoOnAtOnce() {
		Sinks.Empty<Void> gate = Sinks.empty();
		this.fixture.replayer.script = (scenario, session) -> gate.asMono()
			.thenMany(Flux.defer(() -> RunFixture.answered(scenario)));
		WarmupRunner runner = runner();
		List<List<RunRecord>> seconds = new ArrayList<>();
		verify(runner.run(Trigger.STARTUP)).then(() -> {
			this.fixture.time.advanceTime();
			assertThat(runner.isRunning()).isTrue();
			runner.run(Trigger.IDLE).subscribe(seconds::add);
			assertThat(runner.start(Trigger.MANUAL)).isFalse();
			assertThat(gate.tryEmitEmpty()).isEqualTo(Sinks.EmitResult.OK);
		}).expectNextCount(1).expectComplete().verify(RunFixture.PATIENCE);
		assertThat(seconds).isEmpty();
		assertThat(this.fixture.notes.conclusions).hasSize(1);
		assertThat(runner.isRunning()).isFalse();
	}

	@Test
	void theRunnerIsFreeWhenARunCompletes() {
		WarmupRunner runner = runner();
		verify(runner.run(Trigger.STARTUP).then(runner.run(Trigger.IDLE))).thenAwait(Duration.ofSeconds(1))
			.expectNextCount(1)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		assertThat(this.fixture.notes.conclusions).hasSize(2);
	}

	@Test
	void theRunnerIsFreeWhenARunIsCancelled() {
		this.fixture.replayer.script = (scenario, session) -> Flux.never();
		WarmupRunner runner = runner();
		verify(runner.run(Trigger.STARTUP)).thenAwait(Duration.ofSeconds(1)).thenCancel().verify(RunFixture.PATIENCE);
		assertThat(runner.isRunning()).isFalse();
	}

	@Test
	void aRunInTheBackgroundGoesOnByItself() {
		WarmupRunner runner = runner();
		verify(Mono.fromSupplier(() -> runner.start(Trigger.MANUAL))).expectNext(true)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.fixture.notes.runs).extracting(RunRecord::trigger).containsExactly(Trigger.MANUAL);
	}

	@Test
	void aRunThatAGatewayRequestedGoesThroughThatOnlyAndConcludesNothing() {
		this.gateways = locator(Mono.just(List.of(RunFixture.GATEWAY)));
		WarmupRunner runner = runner();
		List<Optional<String>> ids = new ArrayList<>();
		verify(Mono.fromRunnable(() -> ids.add(runner.startThrough(Trigger.IDLE, RunFixture.OTHER_GATEWAY))))
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		awaitFree(runner);
		assertThat(this.fixture.notes.runs).singleElement().satisfies((run) -> {
			assertThat(ids).containsExactly(Optional.of(run.id()));
			assertThat(run.gateway()).isEqualTo("gw-2");
			assertThat(run.trigger()).isEqualTo(Trigger.IDLE);
			assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		});
		assertThat(this.fixture.reportedTo).containsExactly(RunFixture.OTHER_GATEWAY);
		assertThat(this.fixture.notes.conclusions).isEmpty();
	}

	@Test
	void noRequestedRunStartsWhileAnotherIsUnderWay() {
		this.fixture.replayer.script = (scenario, session) -> Flux.never();
		WarmupRunner runner = runner();
		assertThat(runner.startThrough(Trigger.STARTUP, RunFixture.GATEWAY)).isPresent();
		assertThat(runner.startThrough(Trigger.STARTUP, RunFixture.OTHER_GATEWAY)).isEmpty();
		assertThat(runner.start(Trigger.MANUAL)).isFalse();
		runner.stop();
	}

	@Test
	void aRequestedRunThatBreaksOffIsRecordedAndFreesTheRunner() {
		this.catalogs = () -> {
			throw new IllegalStateException("disk gone");
		};
		WarmupRunner runner = runner();
		assertThat(runner.startThrough(Trigger.STARTUP, RunFixture.GATEWAY)).isPresent();
		awaitFree(runner);
		assertThat(this.fixture.notes.runs).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED);
	}

	@Test
	void thereIsWorkWhereTheCatalogHasAScenarioForTheService() {
		StepVerifier.create(runner().hasWork(Trigger.STARTUP))
			.expectNext(true)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		this.catalogs = () -> Catalogs.of("version: 1\nscenarios: []\n");
		StepVerifier.create(runner().hasWork(Trigger.STARTUP))
			.expectNext(false)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
	}

	private void awaitFree(WarmupRunner runner) {
		Awaitility.await().atMost(RunFixture.PATIENCE).until(() -> {
			this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
			return !runner.isRunning();
		});
	}

	@Test
	void anEmptyPlanIsSkippedAndNeverCalledWarm() {
		this.catalogs = () -> Catalogs.of("version: 1\nscenarios: []\n");
		assertThat(run()).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.SKIPPED);
			assertThat(run.reason().orElseThrow()).endsWith("has no scenario for chat-service");
		});
		assertThat(this.fixture.state.phase().phase()).isEqualTo(Phase.COLD);
		assertThat(this.fixture.notes.conclusions).containsExactly(Optional.empty());
		assertThat(this.fixture.reports).isEmpty();
	}

	@Test
	void aScenarioOfAnotherServiceIsNotSent() {
		this.catalogs = () -> Catalogs.of("""
				version: 1
				scenarios:
				  - { name: other, service: other-service, requests: [GET /other] }
				""");
		assertThat(run()).extracting(RunRecord::verdict).containsExactly(Verdict.SKIPPED);
		assertThat(this.fixture.replayer.replayed).isEmpty();
	}

	@Test
	void withoutAGatewayTheRunFailsWithThatReason() {
		this.gateways = locator(Mono.just(List.of()));
		assertThat(run()).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.reason()).hasValue("there is no gateway of the test");
			assertThat(run.gateway()).isEqualTo("gateway of the test");
		});
		assertThat(this.fixture.notes.phases).containsExactly(Phase.FAILED);
	}

	@Test
	void aGatewayThatAppearsLaterIsUsed() {
		AtomicInteger looks = new AtomicInteger();
		this.gateways = locator(
				Mono.fromSupplier(() -> (looks.incrementAndGet() < 4) ? List.of() : List.of(RunFixture.GATEWAY)));
		assertThat(run()).extracting(RunRecord::verdict).containsExactly(Verdict.WARM);
		assertThat(looks).hasValue(4);
	}

	@Test
	void aLocatorThatFailsIsCalledAgain() {
		AtomicInteger looks = new AtomicInteger();
		this.gateways = locator(Mono.defer(() -> (looks.incrementAndGet() < 3)
				? Mono.error(new IllegalStateException("registry down")) : Mono.just(List.of(RunFixture.GATEWAY))));
		assertThat(run()).extracting(RunRecord::verdict).containsExactly(Verdict.WARM);
		assertThat(looks).hasValue(3);
	}

	@Test
	void aLocatorThatHangsIsCalledAgainAndEndsTheRunInAVerdict() {
		AtomicInteger looks = new AtomicInteger();
		this.gateways = locator(Mono.defer(() -> {
			looks.incrementAndGet();
			return Mono.never();
		}));
		assertThat(run()).singleElement()
			.satisfies(
					(run) -> assertThat(run.reason().orElseThrow()).startsWith("cannot look for gateway of the test"));
		assertThat(looks).hasValueGreaterThan(2);
		assertThat(this.fixture.gate.isOpen()).isTrue();
	}

	@Test
	void aCatalogThatCannotBeReadEndsTheRunInAVerdict() {
		this.catalogs = () -> {
			throw new IllegalStateException("disk gone");
		};
		WarmupRunner runner = runner();
		assertThat(run(runner)).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.reason().orElseThrow()).contains("disk gone");
		});
		assertThat(runner.isRunning()).isFalse();
		assertThat(this.fixture.notes.conclusions).containsExactly(Optional.of(Phase.FAILED));
	}

	@Test
	void anInstanceThatIsNotKnownEndsTheRunInAVerdict() {
		this.instance = () -> {
			throw new IllegalStateException("not registered");
		};
		assertThat(run()).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED);
		assertThat(this.fixture.notes.conclusions).containsExactly(Optional.of(Phase.FAILED));
	}

	@Test
	void aBugAmidstARunEndsItInAVerdict() {
		this.fixture.replayer.script = (scenario, session) -> scenario.name().equals("second")
				? Flux.error(new IllegalStateException("a bug")) : RunFixture.answered(scenario);
		assertThat(run()).extracting(RunRecord::verdict).containsExactly(Verdict.FAILED);
		assertThat(this.fixture.notes.phases).containsExactly(Phase.WARMING, Phase.FAILED);
	}

	@Test
	void stoppingEndsARunAfterItsRepetition() {
		WarmupRunner runner = runner();
		this.fixture.replayer.script = (scenario, session) -> RunFixture.answered(scenario).doOnComplete(runner::stop);
		assertThat(run(runner)).extracting(RunRecord::verdict).containsExactly(Verdict.TIMED_OUT);
		assertThat(this.fixture.replayer.replayed).containsExactly("first");
	}

	@Test
	void stoppingWithoutARunChangesNothing() {
		WarmupRunner runner = runner();
		runner.stop();
		assertThat(run(runner)).extracting(RunRecord::verdict).containsExactly(Verdict.WARM);
	}

	private static GatewayLocator locator(Mono<List<Gateway>> found) {
		return RunFixture.locator(() -> found);
	}

	private WarmupRunner runner() {
		return this.fixture.runner(() -> this.instance.get(), () -> this.catalogs.current(), this.gateways, 2,
				this.fixture.gate);
	}

	private List<RunRecord> run() {
		return run(runner());
	}

	private List<RunRecord> run(WarmupRunner runner) {
		return this.fixture.run(runner, Trigger.STARTUP);
	}

	private <T> StepVerifier.FirstStep<T> verify(Mono<T> run) {
		return StepVerifier.withVirtualTime(() -> run, () -> this.fixture.time, Long.MAX_VALUE);
	}

}
