package dev.warmup.insight;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;

/**
 * The pools of {@code r2dbc-pool}, also where a connection factory wraps one; named as
 * their beans.
 */
final class R2dbcPools implements PoolSource {

	private final Supplier<? extends Map<String, ? extends ConnectionFactory>> factories;

	/**
	 * Creates a source.
	 * @param factories where the pools may be, by name
	 */
	R2dbcPools(Supplier<? extends Map<String, ? extends ConnectionFactory>> factories) {
		this.factories = factories;
	}

	@Override
	public List<Pool> pools() {
		List<Pool> pools = new ArrayList<>();
		Set<ConnectionPool> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		this.factories.get()
			.forEach((name, factory) -> unwrapped(factory).filter(seen::add)
				.flatMap(ConnectionPool::getMetrics)
				.ifPresent((metrics) -> pools.add(new Pool(name, metrics::acquiredSize, metrics::pendingAcquireSize,
						metrics::allocatedSize, metrics.getMaxAllocatedSize(), "initialSize"))));
		return pools;
	}

	/** A pool wraps a factory itself, which is not of interest. */
	private static Optional<ConnectionPool> unwrapped(Object factory) {
		if (factory instanceof ConnectionPool pool) {
			return Optional.of(pool);
		}
		return (factory instanceof Wrapped<?> wrapper)
				? Optional.ofNullable(wrapper.unwrap()).flatMap(R2dbcPools::unwrapped) : Optional.empty();
	}

}
