package dev.warmup.task;

import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupTask;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Opens each Redis connection of a servlet service, and has it answer a PING. */
final class RedisTask implements WarmupTask {

	private static final int SIDE_BY_SIDE = 16;

	private final Supplier<List<RedisConnectionFactory>> factories;

	/**
	 * Creates the task.
	 * @param factories open connections; asked for at each run
	 */
	RedisTask(Supplier<List<RedisConnectionFactory>> factories) {
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
			.flatMapDelayError(
					(factory) -> Mono.fromRunnable(() -> ping(factory)).subscribeOn(Schedulers.boundedElastic()),
					SIDE_BY_SIDE, 1)
			.then();
	}

	private static void ping(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			connection.ping();
		}
	}

}
