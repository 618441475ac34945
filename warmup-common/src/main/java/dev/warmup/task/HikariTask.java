package dev.warmup.task;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

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
 * Waits until each HikariCP pool holds its minimum of connections. A pool that has not
 * lent a connection yet is started by borrowing one; from then on it fills itself, so
 * that no user waits for a connection that this task holds. A pool that is full is left
 * alone, and so is one without a minimum.
 */
public final class HikariTask {

	private static final Logger logger = LoggerFactory.getLogger(HikariTask.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(20);

	/** Less than the task's limit, so that a pool that does not fill is named. */
	private static final Duration TIMEOUT = Duration.ofSeconds(8);

	private static final int VALIDATION_SECONDS = 5;

	private HikariTask() {
	}

	static WarmupTask of(Flux<DataSource> dataSources) {
		return new EachTask<>("jdbc", dataSources.flatMap((source) -> Mono.justOrEmpty(pool(source))).distinct(),
				HikariTask::fill);
	}

	/**
	 * Finds a pool, also behind data sources that wrap it as JDBC knows it
	 * ({@link java.sql.Wrapper}); empty for one that routes by the request.
	 */
	public static Optional<HikariDataSource> pool(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class)
					? Optional.of(dataSource.unwrap(HikariDataSource.class)) : Optional.empty();
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("{} does not report whether it wraps a pool", dataSource, ex);
			return Optional.empty();
		}
	}

	private static Mono<Void> fill(HikariDataSource pool) {
		Mono<Void> filled = Flux.interval(Duration.ZERO, LOOK_EVERY)
			.takeUntil((tick) -> connections(pool) >= minimum(pool))
			.then()
			.timeout(TIMEOUT, Mono.error(() -> new IllegalStateException(
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
				throw new SQLException(pool.getPoolName() + " returned an invalid connection");
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
