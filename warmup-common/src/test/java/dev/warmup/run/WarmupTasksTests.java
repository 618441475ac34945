package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.warmup.CapturedLog;
import dev.warmup.WarmupTask;
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

	private final List<String> done = new ArrayList<>();

	@Test
	void tasksAreRunOneAfterAnotherInTheirOrder() {
		assertThat(run(task("first", Mono.fromRunnable(() -> this.done.add("first"))),
				task("second", Mono.delay(SHORT).then(Mono.fromRunnable(() -> this.done.add("second")))),
				WarmupTask.of("third", () -> this.done.add("third"))))
			.isEmpty();
		assertThat(this.done).containsExactly("first", "second", "third");
	}

	@Test
	void onesThatFailOrLackAClassOrNeverEndAreLoggedAndFoundAndTheOthersGoOn() {
		try (CapturedLog log = CapturedLog.of(WarmupTasks.class)) {
			List<String> findings = run(task("broken", Mono.error(new IllegalStateException("no disk"))),
					task("at once", () -> {
						throw new NoClassDefFoundError("a/Driver");
					}), WarmupTask.of("when subscribed to", () -> {
						throw new NoClassDefFoundError("a/Driver");
					}), task("as a signal", Mono.error(new NoClassDefFoundError("a/Driver"))),
					new SomeTask("endless", Mono::never, SHORT), WarmupTask.of("fine", () -> this.done.add("fine")));
			assertThat(findings).containsExactly("task broken failed: IllegalStateException: no disk",
					"task at once failed: NoClassDefFoundError: a/Driver",
					"task when subscribed to failed: NoClassDefFoundError: a/Driver",
					"task as a signal failed: NoClassDefFoundError: a/Driver",
					"task endless failed: not done within 20 ms");
			assertThat(log.lines()).containsExactlyElementsOf(findings.stream()
				.map((finding) -> "WARN Warm-up " + finding.replace("failed: ", "failed after 0 ms, the run goes on: "))
				.toList());
		}
		assertThat(this.done).containsExactly("fine");
	}

	@Test
	void aTaskHasTenSecondsUnlessItStatesALimit() {
		assertThat(WarmupTask.of("endless", () -> this.done.add("endless")).limit()).isEqualTo(Duration.ofSeconds(10));
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
			assertThat(run(task("blocked", work), WarmupTask.of("after", () -> this.done.add("after"))))
				.containsExactly("task blocked failed: not done before the run was stopped");
			threads.shutdown();
			assertThat(threads.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(dropped.lines()).isEmpty();
		}
		stopping.dispose();
		assertThat(this.done).isEmpty();
	}

	@Test
	void tasksAreCreatedAtEachRunAndAFailureToCreateThemIsReported() {
		List<WarmupTask> tasks = new ArrayList<>();
		assertThat(run(this.budget, () -> List.copyOf(tasks))).isEmpty();
		tasks.add(WarmupTask.of("new", () -> this.done.add("new")));
		assertThat(run(this.budget, () -> List.copyOf(tasks))).isEmpty();
		assertThat(this.done).containsExactly("new");
		assertThat(run(this.budget, () -> {
			throw new IllegalStateException("no bean");
		})).containsExactly("task tasks failed: IllegalStateException: no bean");
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
		Mono<Void> work = Mono.error(new IllegalStateException("no disk"));
		assertThat(run(nameless, task("a\nmallory/m WARM", work), task("x".repeat(400), work))).containsExactly(
				"task " + nameless.getClass().getName() + " failed: IllegalStateException: no name",
				"task a mallory/m WARM failed: IllegalStateException: no disk",
				"task " + "x".repeat(WarmupTasks.LONGEST_NAME - 1) + "… failed: IllegalStateException: no disk");
	}

	@Test
	void aFailureIsOneLineOfTheLogWithTheTimeThatTheTaskTook() {
		Mono<Void> work = Mono.fromRunnable(() -> {
			this.nanos.addAndGet(Duration.ofMillis(7).toNanos());
			throw new IllegalStateException("no\r\n\tdisk " + "x".repeat(1000));
		});
		try (CapturedLog log = CapturedLog.of(WarmupTasks.class)) {
			run(task("a\nbroken one", work), task("fine", Mono.empty()));
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line).startsWith(
						"WARN Warm-up task a broken one failed after 7 ms, the run goes on: IllegalStateException: no disk x")
					.endsWith("x…")
					.hasSizeLessThan(400));
		}
	}

	private List<String> run(WarmupTask... tasks) {
		return run(this.budget, () -> Arrays.asList(tasks));
	}

	private List<String> run(Budget within, Supplier<List<WarmupTask>> tasks) {
		List<String> findings = new ArrayList<>();
		StepVerifier.create(new WarmupTasks(tasks, this.timing).run(within))
			.consumeNextWith(findings::addAll)
			.expectComplete()
			.verify(TIMEOUT);
		return findings;
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
