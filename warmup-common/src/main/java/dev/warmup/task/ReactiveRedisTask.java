package dev.warmup.task;

import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupTask;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

/** Opens each Redis connection of a reactive service, and has it answer a PING. */
final class ReactiveRedisTask implements WarmupTask {

	private static final int SIDE_BY_SIDE = 16;

	private final Supplier<List<ReactiveRedisConnectionFactory>> factories;

	/**
	 * Creates the task.
	 * @param factories open connections; asked for at each run
	 */
	ReactiveRedisTask(Supplier<List<ReactiveRedisConnectionFactory>> factories) {
		this.factories = factories;
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public Mono<Void> run() {
		return Mono.fromSupplier(this.factories)
			.flatMapMany(Flux::fromIterable)
			.flatMapDelayError(ReactiveRedisTask::ping, SIDE_BY_SIDE, 1)
			.then();
	}

	/** The connection is opened where it may block: a shared one is waited for. */
	private static Mono<String> ping(ReactiveRedisConnectionFactory factory) {
		return Mono
			.usingWhen(Mono.fromSupplier(factory::getReactiveConnection), ReactiveRedisConnection::ping,
					ReactiveRedisConnection::closeLater)
			.subscribeOn(Schedulers.boundedElastic());
	}

}
