package dev.warmup.task;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Has each R2DBC pool open the connections that it is to hold at least. */
final class R2dbcTask implements WarmupTask {

	private static final int SIDE_BY_SIDE = 16;

	private final Supplier<List<ConnectionFactory>> factories;

	/**
	 * Creates the task.
	 * @param factories where to look for pools, also behind wrappers; asked for at each
	 * run
	 */
	R2dbcTask(Supplier<List<ConnectionFactory>> factories) {
		this.factories = factories;
	}

	@Override
	public String name() {
		return "r2dbc";
	}

	@Override
	public Mono<Void> run() {
		return Mono.fromSupplier(this.factories)
			.flatMapMany(Flux::fromIterable)
			.flatMap((factory) -> Mono.justOrEmpty(pool(factory)))
			.distinct()
			.flatMapDelayError(R2dbcTask::fill, SIDE_BY_SIDE, 1)
			.then();
	}

	private static Mono<Void> fill(ConnectionPool pool) {
		Mono<Void> handedOut = Mono.defer(() -> handOut(pool));
		return pool.warmup().onErrorResume((error) -> handedOut.then(Mono.error(error))).then(handedOut);
	}

	/**
	 * What {@link ConnectionPool#warmup()} opened, it keeps from those who were waiting
	 * for a connection meanwhile, until somebody else takes or returns one.
	 */
	private static Mono<Void> handOut(ConnectionPool pool) {
		return pool.getMetrics().filter(R2dbcTask::letsWaitInVain).isPresent()
				? Mono.usingWhen(pool.create(), (connection) -> Mono.<Void>empty(), Connection::close) : Mono.empty();
	}

	private static boolean letsWaitInVain(PoolMetrics pool) {
		return pool.pendingAcquireSize() > 0 && pool.acquiredSize() < pool.getMaxAllocatedSize();
	}

	private static Optional<ConnectionPool> pool(Object factory) {
		if (factory instanceof ConnectionPool pool) {
			return Optional.of(pool);
		}
		return (factory instanceof Wrapped<?> wrapper) ? pool(wrapper.unwrap()) : Optional.empty();
	}

}
