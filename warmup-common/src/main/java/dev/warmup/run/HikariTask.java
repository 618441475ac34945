package dev.warmup.run;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.WarmupTask;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.concurrent.Queues;

/**
 * Waits until each HikariCP pool holds its minimum of connections. A pool that has not
 * lent a connection yet is started by borrowing one; from then on it fills itself, so
 * that no user waits for a connection that this task holds. A pool that is full is left
 * alone, and so is one without a minimum.
 *
 * @param dataSources looked up at each run
 */
record HikariTask(Supplier<List<DataSource>> dataSources) implements WarmupTask {

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public Mono<Void> run() {
		return Flux.defer(() -> Flux.fromIterable(this.dataSources.get()))
			.flatMap((source) -> Mono.justOrEmpty(pool(source)))
			.distinct()
			.filter((pool) -> !pool.isClosed() && pool.getMinimumIdle() != 0 && !isFilled(pool))
			.flatMapDelayError(HikariTask::fill, Queues.SMALL_BUFFER_SIZE, 1)
			.then();
	}

	/**
	 * Finds a pool, also behind data sources that wrap it as JDBC knows it
	 * ({@link java.sql.Wrapper}); empty for one that routes by the request.
	 */
	private static Optional<HikariDataSource> pool(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class)
					? Optional.of(dataSource.unwrap(HikariDataSource.class)) : Optional.empty();
		}
		catch (SQLException | RuntimeException ex) { // as it cannot tell
			return Optional.empty();
		}
	}

	private static Mono<Void> fill(HikariDataSource pool) {
		return Mono.fromCallable(() -> {
			pool.getConnection().close();
			return pool;
		})
			.subscribeOn(Schedulers.boundedElastic())
			.thenMany(Flux.interval(Duration.ZERO, Duration.ofMillis(20)).takeUntil((tick) -> isFilled(pool)))
			.then();
	}

	private static boolean isFilled(HikariDataSource pool) {
		return pool.isRunning() && pool.getHikariPoolMXBean().getTotalConnections() >= Math.min(pool.getMinimumIdle(),
				pool.getMaximumPoolSize());
	}

}
