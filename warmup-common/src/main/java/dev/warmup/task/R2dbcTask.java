package dev.warmup.task;

import java.util.Optional;

import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Has each R2DBC pool open the connections that it is to hold at least. */
public final class R2dbcTask {

	private R2dbcTask() {
	}

	static WarmupTask of(Flux<ConnectionFactory> factories) {
		return new EachTask<>("r2dbc", factories.flatMap((factory) -> Mono.justOrEmpty(pool(factory))).distinct(),
				R2dbcTask::fill);
	}

	private static Mono<Void> fill(ConnectionPool pool) {
		Mono<Void> handedOut = Mono.defer(() -> handOut(pool));
		return pool.warmup().onErrorResume((error) -> handedOut.then(Mono.error(error))).then(handedOut);
	}

	/**
	 * {@link ConnectionPool#warmup()} does not hand the connections it opened to callers
	 * that were already waiting until another caller takes or returns one.
	 */
	private static Mono<Void> handOut(ConnectionPool pool) {
		return pool.getMetrics().filter(R2dbcTask::letsWaitNeedlessly).isPresent()
				? Mono.usingWhen(pool.create(), (connection) -> Mono.<Void>empty(), Connection::close) : Mono.empty();
	}

	private static boolean letsWaitNeedlessly(PoolMetrics pool) {
		return pool.pendingAcquireSize() > 0 && pool.acquiredSize() < pool.getMaxAllocatedSize();
	}

	/**
	 * Finds a pool, also behind wrappers; what a pool itself wraps is not of interest.
	 */
	public static Optional<ConnectionPool> pool(Object factory) {
		if (factory instanceof ConnectionPool pool) {
			return Optional.of(pool);
		}
		return (factory instanceof Wrapped<?> wrapper) ? Optional.ofNullable(wrapper.unwrap()).flatMap(R2dbcTask::pool)
				: Optional.empty();
	}

}
