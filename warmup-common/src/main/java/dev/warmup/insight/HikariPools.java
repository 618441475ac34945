package dev.warmup.insight;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools of HikariCP, also where a data source wraps one as JDBC knows it
 * ({@link java.sql.Wrapper}).
 */
final class HikariPools implements PoolSource {

	private static final Logger logger = LoggerFactory.getLogger(HikariPools.class);

	private final Supplier<? extends Collection<? extends DataSource>> dataSources;

	/**
	 * Creates a source.
	 * @param dataSources where the pools may be
	 */
	HikariPools(Supplier<? extends Collection<? extends DataSource>> dataSources) {
		this.dataSources = dataSources;
	}

	@Override
	public List<Pool> pools() {
		return this.dataSources.get()
			.stream()
			.map(HikariPools::unwrapped)
			.flatMap(Optional::stream)
			.distinct()
			.map((pool) -> new Pool(String.valueOf(pool.getPoolName()),
					metric(pool, HikariPoolMXBean::getActiveConnections),
					metric(pool, HikariPoolMXBean::getThreadsAwaitingConnection),
					metric(pool, HikariPoolMXBean::getTotalConnections), pool.getMaximumPoolSize(), "minimumIdle"))
			.toList();
	}

	private static Optional<HikariDataSource> unwrapped(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class)
					? Optional.of(dataSource.unwrap(HikariDataSource.class)) : Optional.empty();
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("{} does not tell whether it is a HikariCP pool", dataSource, ex);
			return Optional.empty();
		}
	}

	/** A pool that has not lent a connection yet has no such bean. */
	private static IntSupplier metric(HikariDataSource pool, ToIntFunction<HikariPoolMXBean> metric) {
		return () -> Optional.ofNullable(pool.getHikariPoolMXBean()).map(metric::applyAsInt).orElse(0);
	}

}
