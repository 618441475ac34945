package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.warmup.WarmupTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs tasks one after another, isolated from each other: one that throws or never ends
 * is logged, and the next one runs. Thread-safe.
 */
final class WarmupTasks {

	private static final int LONGEST_PROBLEM = 300;

	private static final Logger logger = LoggerFactory.getLogger(WarmupTasks.class);

	private final Supplier<List<WarmupTask>> tasks;

	private final Scheduler scheduler;

	/**
	 * Creates a runner of tasks.
	 * @param tasks the tasks in their order, supplied anew for each run; may block
	 */
	WarmupTasks(Supplier<List<WarmupTask>> tasks, Scheduler scheduler) {
		this.tasks = tasks;
		this.scheduler = scheduler;
	}

	/**
	 * Runs them all.
	 * @return why tasks failed, in their order; where they cannot be created, the reason;
	 * never fails
	 */
	Mono<List<String>> run() {
		return Mono.fromSupplier(this.tasks)
			.subscribeOn(Schedulers.boundedElastic())
			.flatMapIterable((all) -> all)
			.concatMap(this::carryOut, 0)
			.onErrorResume((error) -> Mono.just("warm-up tasks could not be created: " + describe(error)))
			.doOnNext((problem) -> logger.warn("The warm-up run goes on: {}", problem))
			.collectList();
	}

	/** Emits why the task failed, if it did. */
	private Mono<String> carryOut(WarmupTask task) {
		return Mono.defer(() -> {
			String name = task.name();
			Duration limit = task.limit();
			return attempt(task)
				.timeout(limit, Mono.just("not done within %d ms".formatted(limit.toMillis())), this.scheduler)
				.map((problem) -> "task %s failed: %s".formatted(name, problem));
		})
			.onErrorResume(
					(error) -> Mono.just("task %s failed: %s".formatted(task.getClass().getName(), describe(error))));
	}

	/**
	 * Emits why the task failed, if it did. Catches what it throws while it is subscribed
	 * to: Reactor hands a {@link LinkageError} to no subscriber. A failure is a value, so
	 * that one that comes after the limit is dropped in silence.
	 */
	private static Mono<String> attempt(WarmupTask task) {
		return Mono.<String>create((sink) -> {
			try {
				sink.onDispose(task.run().subscribe((none) -> {
				}, (error) -> sink.success(describe(error)), sink::success));
			}
			catch (Throwable ex) {
				sink.success(describe(ex));
			}
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private static String describe(Throwable error) {
		String text = Reasons.onOneLine(Exceptions.unwrapMultiple(error)
			.stream()
			.map((each) -> (each.getMessage() != null) ? each.getClass().getSimpleName() + ": " + each.getMessage()
					: each.getClass().getSimpleName())
			.distinct()
			.collect(Collectors.joining("; ")));
		return (text.length() > LONGEST_PROBLEM) ? text.substring(0, LONGEST_PROBLEM) + "…" : text;
	}

}
