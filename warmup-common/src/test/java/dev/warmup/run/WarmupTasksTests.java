package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.warmup.CapturedLog;
import dev.warmup.WarmupTask;
import dev.warmup.protocol.RunRecord;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTasksTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Duration SHORT = Duration.ofMillis(20);

	private final AtomicLong nanos = new AtomicLong();

	private final Timing timing = new Timing(Clock.systemUTC(), Schedulers.parallel(), this.nanos::get);

	private final Budget budget = Budget.start(Duration.ofMinutes(1), System::nanoTime);

	private final List<RunRecord.Task> heard = new ArrayList<>();

	private final RunListener listener = new RunListener() {

		@Override
		public void onTask(RunRecord.Task task) {
			WarmupTasksTests.this.heard.add(task);
		}

	};

	@Test
	void tasksAreRunOneAfterAnotherInTheirOrderAndTimed() {
		List<String> done = new ArrayList<>();
		List<RunRecord.Task> records = run(task("first", Mono.fromRunnable(() -> {
			done.add("first");
			this.nanos.addAndGet(3);
		})), task("second", Mono.delay(SHORT).then(Mono.fromRunnable(() -> {
			done.add("second");
			this.nanos.addAndGet(4);
		}))), WarmupTask.of("third", () -> done.add("third")));
		assertThat(done).containsExactly("first", "second", "third");
		assertThat(records).containsExactly(new RunRecord.Task("first", Duration.ofNanos(3), Optional.empty()),
				new RunRecord.Task("second", Duration.ofNanos(4), Optional.empty()),
				new RunRecord.Task("third", Duration.ZERO, Optional.empty()));
	}

	@Test
	void onesThatFailOrLackAClassOrNeverEndAreReportedAndTheOthersGoOn() {
		assertThat(run(task("broken", Mono.error(new IllegalStateException("no disk"))), task("at once", () -> {
			throw new NoClassDefFoundError("a/Driver");
		}), WarmupTask.of("when subscribed to", () -> {
			throw new NoClassDefFoundError("a/Driver");
		}), task("as a signal", Mono.error(new NoClassDefFoundError("a/Driver"))),
				new SomeTask("endless", Mono::never, SHORT), task("fine", Mono.empty())))
			.extracting(RunRecord.Task::problem)
			.containsExactly(Optional.of("IllegalStateException: no disk"),
					Optional.of("NoClassDefFoundError: a/Driver"), Optional.of("NoClassDefFoundError: a/Driver"),
					Optional.of("NoClassDefFoundError: a/Driver"), Optional.of("not done within 20 ms"),
					Optional.empty());
	}

	@Test
	void oneThatBlocksIsInterruptedAndWhatItFailsWithThenIsNotLogged() throws InterruptedException {
		CountDownLatch blocking = new CountDownLatch(1);
		ExecutorService threads = Executors.newCachedThreadPool();
		Mono<Boolean> blocked = Mono.fromCallable(() -> {
			blocking.countDown();
			return new CountDownLatch(1).await(1, TimeUnit.HOURS);
		}).subscribeOn(Schedulers.fromExecutorService(threads));
		Mono<Void> work = Flux.just(1, 2).flatMapDelayError((each) -> blocked, 2, 1).then();
		Disposable stopping = Mono.fromCallable(() -> blocking.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
			.subscribeOn(Schedulers.boundedElastic())
			.subscribe((started) -> this.budget.stop());
		try (CapturedLog dropped = CapturedLog.of("ROOT")) {
			assertThat(run(task("blocked", work), task("after", Mono.empty()))).extracting(RunRecord.Task::problem)
				.containsExactly(Optional.of("not done before the run was stopped"));
			threads.shutdown();
			assertThat(threads.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(dropped.lines()).isEmpty();
		}
		stopping.dispose();
	}

	@Test
	void tasksAreCreatedAtEachRunAndAFailureToCreateThemIsReported() {
		List<WarmupTask> tasks = new ArrayList<>();
		assertThat(run(this.budget, () -> List.copyOf(tasks))).isEmpty();
		tasks.add(task("new", Mono.empty()));
		assertThat(run(this.budget, () -> List.copyOf(tasks))).hasSize(1);
		assertThat(run(this.budget, () -> {
			throw new IllegalStateException("no bean");
		})).containsExactly(new RunRecord.Task("tasks", Duration.ZERO, Optional.of("IllegalStateException: no bean")));
	}

	@Test
	void namesAreShortLinesAndATaskWhoseNameFailsIsReportedByItsClass() {
		WarmupTask nameless = new WarmupTask() {

			@Override
			public String name() {
				throw new IllegalStateException("no name");
			}

			@Override
			public Mono<Void> run() {
				return Mono.empty();
			}

		};
		List<RunRecord.Task> records = run(nameless, task("a\nmallory/m WARM", Mono.empty()),
				task("x".repeat(400), Mono.empty()));
		assertThat(records).extracting(RunRecord.Task::name)
			.containsExactly(nameless.getClass().getName(), "a mallory/m WARM",
					"x".repeat(RunRecord.Task.LONGEST_NAME - 1) + "…");
		assertThat(records.get(0).problem()).hasValue("IllegalStateException: no name");
	}

	@Test
	void aFailureIsOneLineOfTheLog() {
		try (CapturedLog log = CapturedLog.of(WarmupTasks.class)) {
			run(task("broken", Mono.error(new IllegalStateException("no\r\n\tdisk " + "x".repeat(1000)))),
					task("fine", Mono.empty()));
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line).startsWith(
						"WARN Warm-up task broken failed after 0 ms, the run goes on: IllegalStateException: no disk x")
					.endsWith("x…")
					.hasSizeLessThan(400));
		}
	}

	private List<RunRecord.Task> run(WarmupTask... tasks) {
		return run(this.budget, () -> Arrays.asList(tasks));
	}

	private List<RunRecord.Task> run(Budget within, Supplier<List<WarmupTask>> tasks) {
		List<RunRecord.Task> records = new ArrayList<>();
		StepVerifier.create(new WarmupTasks(tasks, List.of(this.listener), this.timing).run(within))
			.consumeNextWith(records::addAll)
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.heard).endsWith(records.toArray(RunRecord.Task[]::new));
		return records;
	}

	private static WarmupTask task(String name, Mono<Void> work) {
		return task(name, () -> work);
	}

	private static WarmupTask task(String name, Supplier<Mono<Void>> work) {
		return new SomeTask(name, work, Duration.ofMinutes(1));
	}

	record SomeTask(String name, Supplier<Mono<Void>> work, Duration limit) implements WarmupTask {

		@Override
		public Mono<Void> run() {
			return this.work.get();
		}

	}

}
