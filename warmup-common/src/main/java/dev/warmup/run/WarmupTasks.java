package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.warmup.WarmupTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Runs tasks one after another, isolated from each other: one that throws or never ends
 * is logged, and the next one runs. Thread-safe.
 */
final class WarmupTasks {

	/** The most characters of a task's name. */
	static final int LONGEST_NAME = 200;

	private static final Logger logger = LoggerFactory.getLogger(WarmupTasks.class);

	/** The most characters of a problem. */
	private static final int LONGEST_PROBLEM = 300;

	private final Supplier<List<WarmupTask>> tasks;

	private final Timing timing;

	/**
	 * Creates a runner of tasks.
	 * @param tasks the tasks in their order, supplied anew for each run; may block
	 */
	WarmupTasks(Supplier<List<WarmupTask>> tasks, Timing timing) {
		this.tasks = tasks;
		this.timing = timing;
	}

	/**
	 * Runs them all, at most as long as the budget lasts; those that it leaves no time
	 * for count as failed.
	 * @return a finding for each that failed, in their order; where the tasks themselves
	 * cannot be created, one with the reason; never fails
	 */
	Mono<List<String>> run(Budget budget) {
		return Mono.fromSupplier(this.tasks)
			.subscribeOn(Schedulers.boundedElastic())
			.timeout(budget.remaining(), Mono.error(() -> new IllegalStateException("not created in time")),
					this.timing.scheduler())
			.flatMapMany(Flux::fromIterable)
			.takeWhile((task) -> !budget.isStopped())
			.concatMap((task) -> carryOut(task, budget), 0)
			.onErrorResume((error) -> Mono
				.fromSupplier(() -> new Result("tasks", Duration.ZERO, Optional.of(describe(error)))))
			.doOnNext((result) -> result.log(budget.isStopped() ? Level.DEBUG : Level.WARN))
			.concatMap((result) -> Mono.justOrEmpty(result.finding()))
			.collectList();
	}

	private Mono<Result> carryOut(WarmupTask task, Budget budget) {
		return Mono.defer(() -> {
			String name = onOneLine(task.name(), LONGEST_NAME);
			if (budget.isOver()) {
				return Mono.just(new Result(name, Duration.ZERO, Optional.of("not run: no time was left for it")));
			}
			long start = this.timing.now();
			return problem(task, budget.atMost(task.limit()), budget)
				.map((problem) -> new Result(name, Duration.ofNanos(this.timing.now() - start), problem));
		})
			.onErrorResume((error) -> Mono.just(new Result(onOneLine(task.getClass().getName(), LONGEST_NAME),
					Duration.ZERO, Optional.of(describe(error)))));
	}

	/** Why the task failed, empty when it did not. */
	private Mono<Optional<String>> problem(WarmupTask task, Duration limit, Budget budget) {
		Mono<Optional<String>> given = Mono
			.fromSupplier(() -> Optional.of("not done within %d ms".formatted(limit.toMillis())));
		return Mono.firstWithSignal(attempt(task).timeout(limit, given, this.timing.scheduler()),
				budget.whenStopped().thenReturn(Optional.of("not done before the run was stopped")));
	}

	/**
	 * Catches what a task throws while it is subscribed to: Reactor hands a
	 * {@link LinkageError} to no subscriber. A failure is a value, so that one that comes
	 * after the limit is dropped in silence.
	 */
	private static Mono<Optional<String>> attempt(WarmupTask task) {
		return Mono.<Optional<String>>create((sink) -> {
			try {
				sink.onDispose(task.run().subscribe((none) -> {
				}, (error) -> sink.success(failed(task, error)), () -> sink.success(Optional.empty()),
						Context.of(sink.contextView())));
			}
			catch (Throwable ex) {
				sink.success(failed(task, ex));
			}
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private static Optional<String> failed(WarmupTask task, Throwable error) {
		logger.debug("{} failed", task.getClass().getName(), error);
		return Optional.of(describe(error));
	}

	private static String describe(Throwable error) {
		return onOneLine(Exceptions.unwrapMultiple(error)
			.stream()
			.map((each) -> (each.getMessage() != null) ? each.getClass().getSimpleName() + ": " + each.getMessage()
					: each.getClass().getSimpleName())
			.distinct()
			.collect(Collectors.joining("; ")), LONGEST_PROBLEM);
	}

	/** For logs and for reports, which a gateway rejects otherwise. */
	private static String onOneLine(String text, int longest) {
		String line = Reasons.onOneLine(text);
		return (line.length() > longest) ? line.substring(0, longest - 1) + "…" : line;
	}

	/** How a task ended, with the reason if it failed. */
	private record Result(String name, Duration took, Optional<String> problem) {

		void log(Level failed) {
			this.problem.ifPresentOrElse(
					(reason) -> logger.atLevel(failed)
						.log("Warm-up task {} failed after {} ms, the run goes on: {}", this.name, this.took.toMillis(),
								reason),
					() -> logger.debug("Warm-up task {} took {} ms", this.name, this.took.toMillis()));
		}

		Optional<String> finding() {
			return this.problem.map((reason) -> "task %s failed: %s".formatted(this.name, reason));
		}

	}

}
