package dev.warmup.task;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Has each empty R2DBC pool open the connections that it is to hold at least. */
public final class R2dbcTask {

	private static final Duration LOOK_EVERY = Duration.ofMillis(20);

	private R2dbcTask() {
	}

	static WarmupTask of(Flux<ConnectionFactory> factories) {
		return new EachTask<>("r2dbc", factories.flatMap((factory) -> Mono.justOrEmpty(pool(factory))).distinct(),
				R2dbcTask::fill);
	}

	/**
	 * Borrows one connection where there is none to borrow without opening it, with which
	 * a pool opens as many as it is to hold at least. {@link ConnectionPool#warmup()}
	 * would never give back the places of those that it did not get to open, once one
	 * fails or it is canceled.
	 */
	private static Mono<Void> fill(ConnectionPool pool) {
		Mono<Void> opened = Flux.interval(Duration.ZERO, LOOK_EVERY).takeUntil((tick) -> isFilled(pool)).then();
		return Mono.defer(() -> isToOpen(pool)
				? Mono.usingWhen(pool.create(), (connection) -> Mono.<Void>empty(), Connection::close).then(opened)
				: Mono.empty());
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
