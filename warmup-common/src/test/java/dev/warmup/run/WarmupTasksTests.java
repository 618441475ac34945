package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.warmup.CapturedLog;
import dev.warmup.WarmupTask;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTasksTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Duration SHORT = Duration.ofMillis(20);

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
					}), new SomeTask("endless", Mono::never, SHORT),
					WarmupTask.of("fine", () -> this.done.add("fine")));
			assertThat(findings).containsExactly("task broken failed: IllegalStateException: no disk",
					"task at once failed: NoClassDefFoundError: a/Driver",
					"task when subscribed to failed: NoClassDefFoundError: a/Driver",
					"task endless failed: not done within 20 ms");
			assertThat(log.lines()).hasSize(4).allMatch((line) -> line.startsWith("WARN "));
		}
		assertThat(this.done).containsExactly("fine");
	}

	@Test
	void oneThatBlocksIsInterruptedAtItsLimit() throws InterruptedException {
		CountDownLatch interrupted = new CountDownLatch(1);
		Mono<Void> blocked = Mono.fromRunnable(() -> {
			try {
				new CountDownLatch(1).await(1, TimeUnit.HOURS);
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		assertThat(run(new SomeTask("blocked", () -> blocked, SHORT)))
			.containsExactly("task blocked failed: not done within 20 ms");
		assertThat(interrupted.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void tasksThatCannotBeCreatedAndOneWhoseNameFailsAreReported() {
		assertThat(run(() -> {
			throw new IllegalStateException("no bean");
		})).containsExactly("warm-up tasks could not be created: IllegalStateException: no bean");
		WarmupTask nameless = new WarmupTask() {

			@Override
			public String name() {
				throw new IllegalStateException("no\nname " + "x".repeat(1_000));
			}

			@Override
			public Mono<Void> run() {
				return Mono.empty();
			}

		};
		assertThat(run(nameless, WarmupTask.of("fine", () -> this.done.add("fine")))).singleElement()
			.asString()
			.startsWith("task " + nameless.getClass().getName() + " failed: IllegalStateException: no name x")
			.hasSizeLessThan(500);
		assertThat(this.done).containsExactly("fine");
	}

	private List<String> run(WarmupTask... tasks) {
		return run(() -> Arrays.asList(tasks));
	}

	private static List<String> run(Supplier<List<WarmupTask>> tasks) {
		List<String> findings = new WarmupTasks(tasks, Schedulers.parallel()).run().block(TIMEOUT);
		assertThat(findings).isNotNull();
		return findings;
	}

	private static WarmupTask task(String name, Mono<Void> work) {
		return task(name, () -> work);
	}

	private static WarmupTask task(String name, Supplier<Mono<Void>> work) {
		return new SomeTask(name, work, Duration.ofMinutes(1));
	}

	private record SomeTask(String name, Supplier<Mono<Void>> work, Duration limit) implements WarmupTask {

		@Override
		public Mono<Void> run() {
			return this.work.get();
		}

	}

}
