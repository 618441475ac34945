package dev.warmup.insight;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.PoolSource.Pool;
import java.sql.Connection;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HikariPoolsTests {

	private final HikariDataSource pool = new HikariDataSource();

	HikariPoolsTests() {
		this.pool.setJdbcUrl("jdbc:h2:mem:pools");
		this.pool.setPoolName("main");
		this.pool.setMaximumPoolSize(3);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void poolTellsHowManyConnectionsAreInUse() throws SQLException {
		Pool pool = new HikariPools(() -> List.of(this.pool)).pools().get(0);
		assertThat(pool.name()).isEqualTo("main");
		assertThat(pool.max()).isEqualTo(3);
		assertThat(pool.active().getAsInt()).isZero();
		assertThat(pool.pending().getAsInt()).isZero();
		try (Connection one = this.pool.getConnection(); Connection other = this.pool.getConnection()) {
			assertThat(List.of(one, other)).doesNotHaveDuplicates();
			assertThat(pool.active().getAsInt()).isEqualTo(2);
		}
		assertThat(pool.active().getAsInt()).isZero();
	}

	@Test
	void poolTellsHowManyConnectionsAreOpen() throws SQLException {
		this.pool.setMinimumIdle(0);
		Pool pool = new HikariPools(() -> List.of(this.pool)).pools().get(0);
		try (Connection one = this.pool.getConnection()) {
			assertThat(one.isValid(30)).isTrue();
			assertThat(pool.open().getAsInt()).isEqualTo(1);
		}
		assertThat(pool.open().getAsInt()).isEqualTo(1);
		assertThat(pool.minimum()).isEqualTo("minimumIdle");
	}

	@Test
	void poolThatHasNotBegunIsNotBegunByThis() {
		HikariPools pools = new HikariPools(() -> List.of(this.pool));
		assertThat(pools.pools().get(0).active().getAsInt()).isZero();
		assertThat(pools.pools().get(0).open().getAsInt()).isZero();
		assertThat(this.pool.isRunning()).isFalse();
	}

	@Test
	void poolIsFoundBehindAnotherDataSourceAndOnce() {
		assertThat(new HikariPools(() -> List.of(this.pool, wrapped())).pools()).hasSize(1);
		assertThat(new HikariPools(() -> List.of(wrapped())).pools()).extracting(Pool::name).containsExactly("main");
	}

	@Test
	void poolMadeFromSettingsIsNamedByHikari() {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl("jdbc:h2:mem:unnamed");
		try (HikariDataSource unnamed = new HikariDataSource(config)) {
			assertThat(new HikariPools(() -> List.of(unnamed)).pools().get(0).name()).startsWith("HikariPool-");
		}
	}

	@Test
	void otherDataSourcesAreLeftOut() {
		assertThat(new HikariPools(() -> List.of(new JdbcDataSource())).pools()).isEmpty();
	}

	@Test
	void dataSourceThatDoesNotTellIsLeftOut() {
		DataSource broken = proxy((method) -> {
			throw new SQLException("not now");
		});
		assertThat(new HikariPools(() -> List.of(broken)).pools()).isEmpty();
	}

	private DataSource wrapped() {
		return proxy((method) -> this.pool);
	}

	/** A data source that hands every call on. */
	private static DataSource proxy(Target target) {
		return (DataSource) Proxy.newProxyInstance(HikariPoolsTests.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
					try {
						return method.invoke(target.of(method.getName()), arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private interface Target {

		DataSource of(String method) throws SQLException;

	}

}
