package dev.warmup.task;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.warmup.WarmupTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Waits until each HikariCP pool holds its minimum of connections. A pool that was not
 * asked for a connection yet starts by it; from then on it fills itself, so that no user
 * has to wait for one that this task holds. A pool that is full is left alone, and so is
 * one without a minimum.
 */
final class HikariTask implements WarmupTask {

	private static final Logger logger = LoggerFactory.getLogger(HikariTask.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(20);

	/** Less than the task's limit, so that a pool that does not fill is named. */
	private static final Duration PATIENCE = Duration.ofSeconds(8);

	private static final int VALIDATION_SECONDS = 5;

	private static final int SIDE_BY_SIDE = 16;

	private final Supplier<List<DataSource>> dataSources;

	/**
	 * Creates the task.
	 * @param dataSources where to look for pools, also behind proxies; asked for at each
	 * run
	 */
	HikariTask(Supplier<List<DataSource>> dataSources) {
		this.dataSources = dataSources;
	}

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public Mono<Void> run() {
		return Mono.fromSupplier(this.dataSources)
			.flatMapMany(Flux::fromIterable)
			.flatMap((dataSource) -> Mono.justOrEmpty(pool(dataSource)))
			.distinct()
			.flatMapDelayError(HikariTask::fill, SIDE_BY_SIDE, 1)
			.then();
	}

	/** One that routes may not be able to tell what it wraps outside of a request. */
	private static Optional<HikariDataSource> pool(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class)
					? Optional.of(dataSource.unwrap(HikariDataSource.class)) : Optional.empty();
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("{} does not tell whether it wraps a pool", dataSource, ex);
			return Optional.empty();
		}
	}

	private static Mono<Void> fill(HikariDataSource pool) {
		Mono<Void> filled = Flux.interval(Duration.ZERO, LOOK_EVERY)
			.takeUntil((tick) -> connections(pool) >= minimum(pool))
			.then()
			.timeout(PATIENCE, Mono.error(() -> new IllegalStateException(
					"%s has %d of %d connections".formatted(pool.getPoolName(), connections(pool), minimum(pool)))));
		return Mono.fromCallable(() -> started(pool))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((started) -> started ? filled : Mono.empty());
	}

	private static boolean started(HikariDataSource pool) throws SQLException {
		if (pool.isClosed() || pool.getMinimumIdle() == 0) {
			return false;
		}
		if (pool.isRunning() && connections(pool) >= minimum(pool)) {
			return true;
		}
		try (Connection connection = pool.getConnection()) {
			if (!connection.isValid(VALIDATION_SECONDS)) {
				throw new SQLException(pool.getPoolName() + " gave a connection that is not valid");
			}
			return true;
		}
	}

	/** Negative until the pool runs, where it is as many as the pool may hold. */
	private static int minimum(HikariDataSource pool) {
		return Math.min(pool.getMinimumIdle(), pool.getMaximumPoolSize());
	}

	private static int connections(HikariDataSource pool) {
		return Optional.ofNullable(pool.getHikariPoolMXBean()).map(HikariPoolMXBean::getTotalConnections).orElse(0);
	}

}
