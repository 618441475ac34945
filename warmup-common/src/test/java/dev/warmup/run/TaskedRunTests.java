package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.warmup.Catalogs;
import dev.warmup.Gateway;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** The effect of tasks on a run. */
@Timeout(60)
class TaskedRunTests {

	private final RunFixture fixture = new RunFixture();

	private final List<String> done = new ArrayList<>();

	private CatalogSource catalogs = () -> RunFixture.CATALOG;

	private List<Gateway> gateways = List.of(RunFixture.GATEWAY, RunFixture.OTHER_GATEWAY);

	@ParameterizedTest
	@EnumSource(Trigger.class)
	void tasksAreRunOnceForAllGatewaysBeforeAnythingIsSent(Trigger trigger) {
		tasks(WarmupTask.of("cache", () -> this.done.add("cache, sent " + this.fixture.replayer.replayed.size())));
		List<RunRecord> runs = run(trigger);
		assertThat(this.done).containsExactly("cache, sent 0");
		assertThat(runs).hasSize(2)
			.allSatisfy((run) -> assertThat(run.tasks())
				.containsExactly(new TaskRecord("cache", Duration.ZERO, Optional.empty())));
	}

	@Test
	void aTaskThatFailsIsFoundAndDoesNotChangeTheVerdict() {
		tasks(WarmupTask.of("cache", () -> {
			throw new IllegalStateException("no disk");
		}));
		assertThat(run(Trigger.STARTUP)).hasSize(2).allSatisfy((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.WARM);
			assertThat(run.findings()).containsExactly("task cache failed: IllegalStateException: no disk");
		});
	}

	@Test
	void tasksThatHangLeaveTheRouteHalfOfTheBudgetAndTheReplayAllOfIt() {
		tasks(new Endless(Duration.ofSeconds(20)), new Endless(Duration.ofMinutes(20)),
				new Endless(Duration.ofSeconds(1)));
		assertThat(run(Trigger.STARTUP)).hasSize(2).allSatisfy((run) -> {
			assertThat(run.tasks()).extracting(TaskRecord::problem)
				.extracting(Optional::orElseThrow)
				.containsExactly("not done within 20000 ms", "not done within 10000 ms",
						"not run: no time was left for it");
			assertThat(run.verdict()).isEqualTo(Verdict.WARM);
			assertThat(run.waited()).isZero();
		});
	}

	@Test
	void aRunThatFindsNoGatewayRecordsItsTasks() {
		this.gateways = List.of();
		tasks(WarmupTask.of("cache", () -> this.done.add("cache")));
		assertThat(run(Trigger.STARTUP)).singleElement().satisfies((run) -> {
			assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
			assertThat(run.tasks()).extracting(TaskRecord::name).containsExactly("cache");
		});
	}

	@Test
	void aRunWithNothingToSendRunsNoTask() {
		this.catalogs = () -> Catalogs.of("version: 1\nscenarios: []\n");
		tasks(WarmupTask.of("cache", () -> this.done.add("cache")));
		assertThat(run(Trigger.STARTUP)).extracting(RunRecord::verdict).containsExactly(Verdict.SKIPPED);
		assertThat(this.done).isEmpty();
	}

	@Test
	void aRunThatAGatewayRequestedRunsNoTask() {
		tasks(WarmupTask.of("cache", () -> this.done.add("cache")));
		WarmupRunner runner = runner();
		StepVerifier
			.withVirtualTime(() -> Mono.fromRunnable(() -> runner.startThrough(Trigger.IDLE, RunFixture.GATEWAY)),
					() -> this.fixture.time, Long.MAX_VALUE)
			.expectComplete()
			.verify(RunFixture.PATIENCE);
		Awaitility.await().atMost(RunFixture.PATIENCE).until(() -> {
			this.fixture.time.advanceTimeBy(Duration.ofSeconds(1));
			return !runner.isRunning();
		});
		assertThat(this.fixture.notes.runs).extracting(RunRecord::tasks).containsExactly(List.of());
		assertThat(this.done).isEmpty();
	}

	private void tasks(WarmupTask... tasks) {
		this.fixture.tasks = new WarmupTasks(() -> Arrays.asList(tasks), List.of(), this.fixture.time,
				this.fixture::nanoTime);
	}

	private WarmupRunner runner() {
		return this.fixture.runner(() -> RunFixture.SELF, this.catalogs,
				RunFixture.locator(() -> Mono.just(this.gateways)), 2, this.fixture.gate);
	}

	private List<RunRecord> run(Trigger trigger) {
		return this.fixture.run(runner(), trigger);
	}

	private record Endless(Duration limit) implements WarmupTask {

		@Override
		public String name() {
			return "endless";
		}

		@Override
		public Mono<Void> run() {
			return Mono.never();
		}

	}

}
