package dev.warmup.insight;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.warmup.task.R2dbcTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;

/**
 * The pools of {@code r2dbc-pool}, also where a connection factory wraps one; named as
 * their beans.
 *
 * @param factories where the pools may be, by name
 */
record R2dbcPools(Supplier<Map<String, ConnectionFactory>> factories) implements PoolSource {

	@Override
	public List<Pool> pools() {
		List<Pool> pools = new ArrayList<>();
		Set<ConnectionPool> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		this.factories.get()
			.forEach((name, factory) -> R2dbcTask.pool(factory)
				.filter(seen::add)
				.flatMap(ConnectionPool::getMetrics)
				.ifPresent((metrics) -> pools.add(new Pool(name, metrics::acquiredSize, metrics::pendingAcquireSize,
						metrics::allocatedSize, metrics.getMaxAllocatedSize(), "initialSize"))));
		return pools;
	}

}
