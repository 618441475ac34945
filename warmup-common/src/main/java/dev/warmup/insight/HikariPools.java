package dev.warmup.insight;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.warmup.task.HikariTask;

/**
 * The pools of HikariCP, also where a data source wraps one.
 *
 * @param dataSources where the pools may be
 */
record HikariPools(Supplier<Collection<DataSource>> dataSources) implements PoolSource {

	@Override
	public List<Pool> pools() {
		return this.dataSources.get()
			.stream()
			.flatMap((dataSource) -> HikariTask.pool(dataSource).stream())
			.distinct()
			.map((pool) -> new Pool(String.valueOf(pool.getPoolName()),
					metric(pool, HikariPoolMXBean::getActiveConnections),
					metric(pool, HikariPoolMXBean::getThreadsAwaitingConnection),
					metric(pool, HikariPoolMXBean::getTotalConnections), pool.getMaximumPoolSize(), "minimumIdle"))
			.toList();
	}

	/** A pool that has not lent a connection yet has no such bean. */
	private static IntSupplier metric(HikariDataSource pool, ToIntFunction<HikariPoolMXBean> metric) {
		return () -> Optional.ofNullable(pool.getHikariPoolMXBean()).map(metric::applyAsInt).orElse(0);
	}

}
