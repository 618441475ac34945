package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.concurrent.Queues;

/**
 * Has each empty R2DBC pool open the connections that it is to hold at least, by
 * borrowing one where there is none to borrow without opening it.
 * {@link ConnectionPool#warmup()} would never give back the places of those that it did
 * not get to open, once one fails or it is canceled.
 *
 * @param factories looked up at each run
 */
record R2dbcTask(Supplier<List<ConnectionFactory>> factories) implements WarmupTask {

	@Override
	public String name() {
		return "r2dbc";
	}

	@Override
	public Mono<Void> run() {
		return Flux.defer(() -> Flux.fromIterable(this.factories.get()))
			.flatMap((factory) -> Mono
				.justOrEmpty((factory instanceof Wrapped<?> wrapper) ? wrapper.unwrap(ConnectionPool.class) : null))
			.distinct()
			.filter(R2dbcTask::isToOpen)
			.flatMapDelayError(R2dbcTask::fill, Queues.SMALL_BUFFER_SIZE, 1)
			.then();
	}

	private static Mono<Void> fill(ConnectionPool pool) {
		return Mono.usingWhen(pool.create(), (connection) -> Mono.<Void>empty(), Connection::close)
			.thenMany(Flux.interval(Duration.ZERO, Duration.ofMillis(20)).takeUntil((tick) -> isFilled(pool)))
			.then();
	}

	private static boolean isToOpen(ConnectionPool pool) {
		return pool.getMetrics()
			.filter((now) -> now.idleSize() == 0 && now.acquiredSize() < now.getMaxAllocatedSize())
			.isPresent();
	}

	/** Whether every connection of the pool is open. */
	private static boolean isFilled(ConnectionPool pool) {
		return pool.getMetrics().filter((now) -> now.idleSize() + now.acquiredSize() < now.allocatedSize()).isEmpty();
	}

}
