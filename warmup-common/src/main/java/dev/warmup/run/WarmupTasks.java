package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.warmup.WarmupTask;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.RunRecord;
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
 * is recorded, and the next one runs. Thread-safe.
 */
final class WarmupTasks {

	private static final Logger logger = LoggerFactory.getLogger(WarmupTasks.class);

	private final Supplier<List<WarmupTask>> tasks;

	private final Listeners<RunListener> listeners;

	private final Timing timing;

	/**
	 * Creates a runner of tasks.
	 * @param tasks the tasks in their order, supplied anew for each run; may block
	 */
	WarmupTasks(Supplier<List<WarmupTask>> tasks, List<RunListener> listeners, Timing timing) {
		this.tasks = tasks;
		this.listeners = new Listeners<>(listeners);
		this.timing = timing;
	}

	/**
	 * Runs them all, at most as long as the budget lasts; those that it leaves no time
	 * for are recorded as not run.
	 * @return a record by task, in their order; where the tasks themselves cannot be
	 * created, one with the reason; never fails
	 */
	Mono<List<RunRecord.Task>> run(Budget budget) {
		return Mono.fromSupplier(this.tasks)
			.subscribeOn(Schedulers.boundedElastic())
			.timeout(budget.remaining(), Mono.error(() -> new IllegalStateException("not created in time")),
					this.timing.scheduler())
			.flatMapMany(Flux::fromIterable)
			.takeWhile((task) -> !budget.isStopped())
			.concatMap((task) -> carryOut(task, budget), 0)
			.onErrorResume((error) -> Mono
				.fromSupplier(() -> new RunRecord.Task("tasks", Duration.ZERO, Optional.of(describe(error)))))
			.doOnNext((task) -> ended(task, budget.isStopped() ? Level.DEBUG : Level.WARN))
			.collectList();
	}

	private Mono<RunRecord.Task> carryOut(WarmupTask task, Budget budget) {
		return Mono.defer(() -> {
			String name = onOneLine(task.name(), RunRecord.Task.LONGEST_NAME);
			if (budget.isOver()) {
				return Mono
					.just(new RunRecord.Task(name, Duration.ZERO, Optional.of("not run: no time was left for it")));
			}
			long start = this.timing.now();
			return problem(task, budget.atMost(task.limit()), budget)
				.map((problem) -> new RunRecord.Task(name, Duration.ofNanos(this.timing.now() - start), problem));
		})
			.onErrorResume((error) -> Mono
				.just(new RunRecord.Task(onOneLine(task.getClass().getName(), RunRecord.Task.LONGEST_NAME),
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
			.collect(Collectors.joining("; ")), RunRecord.Task.LONGEST_PROBLEM);
	}

	/** For logs and for reports, which a gateway rejects otherwise. */
	private static String onOneLine(String text, int longest) {
		String line = Reasons.onOneLine(text);
		return (line.length() > longest) ? line.substring(0, longest - 1) + "…" : line;
	}

	private void ended(RunRecord.Task task, Level failed) {
		task.problem()
			.ifPresentOrElse(
					(problem) -> logger.atLevel(failed)
						.log("Warm-up task {} failed after {} ms, the run goes on: {}", task.name(),
								task.took().toMillis(), problem),
					() -> logger.debug("Warm-up task {} took {} ms", task.name(), task.took().toMillis()));
		this.listeners.each((listener) -> listener.onTask(task));
	}

}
