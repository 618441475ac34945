package dev.warmup.insight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.insight.PoolObserver.Pool;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class R2dbcPoolsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ConnectionPool connections = new ConnectionPool(
			ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///pools"))
				.initialSize(0)
				.maxSize(3)
				.build());

	@AfterEach
	void close() {
		this.connections.dispose();
	}

	@Test
	void poolReportsItsConnectionsAndTheCallersThatWait() {
		Pool pool = pools(Map.of("main", this.connections)).get(0);
		assertThat(pool).extracting(Pool::name, Pool::max, Pool::minimum).containsExactly("main", 3, "initialSize");
		assertThat(pool.open().getAsInt()).isZero();
		List<Connection> held = new ArrayList<>();
		StepVerifier.create(Flux.range(0, 3).concatMap((i) -> this.connections.create()))
			.recordWith(() -> held)
			.expectNextCount(3)
			.expectComplete()
			.verify(LIMIT);
		assertThat(pool.active().getAsInt()).isEqualTo(3);
		StepVerifier.create(this.connections.create())
			.thenAwait(Duration.ofMillis(1))
			.then(() -> assertThat(pool.pending().getAsInt()).isEqualTo(1))
			.thenCancel()
			.verify(LIMIT);
		StepVerifier.create(Flux.fromIterable(held).concatMap(Connection::close)).expectComplete().verify(LIMIT);
		assertThat(pool.active().getAsInt()).isZero();
		assertThat(pool.open().getAsInt()).isEqualTo(3);
	}

	@Test
	void poolIsFoundOnce() {
		assertThat(pools(Map.of("main", this.connections, "other", this.connections))).hasSize(1);
	}

	private static List<Pool> pools(Map<String, ConnectionFactory> factories) {
		return WarmupInsightAutoConfiguration.R2dbcConfiguration.pools(factories);
	}

}
