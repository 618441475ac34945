package dev.warmup.insight;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.PoolObserver.Pool;
import dev.warmup.insight.WarmupInsightAutoConfiguration.HikariConfiguration;
import dev.warmup.insight.WarmupInsightAutoConfiguration.R2dbcConfiguration;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What is read of real pools of real H2 connections. */
class PoolsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final HikariDataSource hikari = new HikariDataSource();

	private final ConnectionPool r2dbc = new ConnectionPool(
			ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///pools"))
				.initialSize(0)
				.maxSize(3)
				.build());

	PoolsTests() {
		this.hikari.setJdbcUrl("jdbc:h2:mem:pools");
		this.hikari.setPoolName("main");
		this.hikari.setMaximumPoolSize(3);
		this.hikari.setMinimumIdle(0);
	}

	@AfterEach
	void close() {
		this.hikari.close();
		this.r2dbc.dispose();
	}

	@Test
	void hikariReportsItsConnectionsOnceAndIsNotStartedForThat() throws SQLException {
		List<Pool> pools = HikariConfiguration.pools(List.of(this.hikari, this.hikari));
		assertThat(pools).hasSize(1);
		Pool pool = pools.get(0);
		assertThat(pool).extracting(Pool::name, Pool::max, Pool::minimum).containsExactly("main", 3, "minimumIdle");
		assertThat(pool.open().getAsInt()).isZero();
		assertThat(this.hikari.isRunning()).isFalse();
		try (Connection one = this.hikari.getConnection(); Connection other = this.hikari.getConnection()) {
			assertThat(List.of(one, other)).doesNotHaveDuplicates();
			assertThat(pool.active().getAsInt()).isEqualTo(2);
		}
		assertThat(pool.active().getAsInt()).isZero();
		assertThat(pool.pending().getAsInt()).isZero();
		assertThat(pool.open().getAsInt()).isEqualTo(2);
	}

	@Test
	void r2dbcReportsItsConnectionsAndTheCallersThatWait() {
		Pool pool = R2dbcConfiguration.pools(Map.of("main", this.r2dbc)).get(0);
		assertThat(pool).extracting(Pool::name, Pool::max, Pool::minimum).containsExactly("main", 3, "initialSize");
		assertThat(pool.open().getAsInt()).isZero();
		List<io.r2dbc.spi.Connection> held = new ArrayList<>();
		StepVerifier.create(Flux.range(0, 3).concatMap((i) -> this.r2dbc.create()))
			.recordWith(() -> held)
			.expectNextCount(3)
			.expectComplete()
			.verify(LIMIT);
		assertThat(pool.active().getAsInt()).isEqualTo(3);
		StepVerifier.create(this.r2dbc.create())
			.thenAwait(Duration.ofMillis(1))
			.then(() -> assertThat(pool.pending().getAsInt()).isEqualTo(1))
			.thenCancel()
			.verify(LIMIT);
		StepVerifier.create(Flux.fromIterable(held).concatMap(io.r2dbc.spi.Connection::close))
			.expectComplete()
			.verify(LIMIT);
		assertThat(pool.active().getAsInt()).isZero();
		assertThat(pool.open().getAsInt()).isEqualTo(3);
		assertThat(R2dbcConfiguration.pools(Map.of("main", this.r2dbc, "other", this.r2dbc))).hasSize(1);
	}

}
