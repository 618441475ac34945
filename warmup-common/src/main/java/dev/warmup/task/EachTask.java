package dev.warmup.task;

import java.util.function.Function;

import dev.warmup.WarmupTask;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Warms each of the application's objects of one kind, in parallel. One that fails is
 * reported once the others are done.
 *
 * @param name names the task
 * @param targets what to warm, looked up at each run
 * @param warm warms one of them
 */
record EachTask<T>(String name, Flux<T> targets, Function<T, ? extends Publisher<?>> warm) implements WarmupTask {

	private static final int SIDE_BY_SIDE = 16;

	@Override
	public Mono<Void> run() {
		return this.targets.flatMapDelayError(this.warm, SIDE_BY_SIDE, 1).then();
	}

}
