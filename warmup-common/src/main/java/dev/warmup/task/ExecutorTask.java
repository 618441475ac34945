package dev.warmup.task;

import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupTask;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Starts the core threads of thread pools, which would else start one by one with the
 * first users' work. Executors without a pool, such as those of virtual threads, have
 * none, and no user waits for a scheduler's.
 */
final class ExecutorTask implements WarmupTask {

	private final Supplier<List<ThreadPoolTaskExecutor>> executors;

	/**
	 * Creates the task.
	 * @param executors the pools, initialised; asked for at each run
	 */
	ExecutorTask(Supplier<List<ThreadPoolTaskExecutor>> executors) {
		this.executors = executors;
	}

	@Override
	public String name() {
		return "executors";
	}

	@Override
	public Mono<Void> run() {
		return Mono.fromRunnable(() -> this.executors.get()
			.forEach((executor) -> executor.getThreadPoolExecutor().prestartAllCoreThreads()));
	}

}
