package dev.warmup.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.IsolationLevelDataSourceRouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** Real pools of real H2 connections. */
class HikariTaskTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final HikariDataSource pool = pool();

	private final HikariDataSource other = pool();

	@AfterEach
	void close() {
		this.pool.close();
		this.other.close();
	}

	@Test
	void everyPoolIsFilledToItsMinimumOrElseItsMaximumAlsoBehindProxies() {
		this.pool.setMinimumIdle(2);
		this.other.setMaximumPoolSize(4);
		run(new LazyConnectionDataSourceProxy(new DelegatingDataSource(this.pool)), this.other, this.pool);
		assertThat(this.pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(2);
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
		assertThat(this.other.getHikariPoolMXBean().getTotalConnections()).isEqualTo(4);
	}

	@Test
	void whereUsersHoldEveryConnectionNobodyWaitsForOne() throws SQLException {
		this.pool.setMaximumPoolSize(1);
		try (Connection users = this.pool.getConnection()) {
			run(this.pool);
			assertThat(users.isClosed()).isFalse();
			assertThat(this.pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
		}
	}

	@Test
	void whatIsToHoldNoConnectionsIsLeftAlone() {
		this.pool.setMinimumIdle(0);
		this.other.close();
		IsolationLevelDataSourceRouter undecided = new IsolationLevelDataSourceRouter();
		undecided.setTargetDataSources(Map.of());
		undecided.afterPropertiesSet();
		DataSource broken = mock(DataSource.class, (call) -> {
			throw new SQLException("not now");
		});
		run(this.pool, this.other, new SimpleDriverDataSource(new org.h2.Driver(), "jdbc:h2:mem:"), undecided, broken);
		assertThat(this.pool.isRunning()).isFalse();
	}

	@Test
	void aPoolWithoutItsDatabaseFailsAndTheOthersAreFilled() {
		this.pool.setJdbcUrl("jdbc:h2:mem:none;IFEXISTS=TRUE");
		this.pool.setInitializationFailTimeout(0);
		this.pool.setConnectionTimeout(250);
		this.other.setMinimumIdle(1);
		StepVerifier.create(new HikariTask(() -> List.of(this.pool, this.other)).run())
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(SQLException.class))
			.verify(TIMEOUT);
		assertThat(this.other.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
	}

	private static void run(DataSource... dataSources) {
		StepVerifier.create(new HikariTask(() -> List.of(dataSources)).run()).expectComplete().verify(TIMEOUT);
	}

	private static HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
		return pool;
	}

}
