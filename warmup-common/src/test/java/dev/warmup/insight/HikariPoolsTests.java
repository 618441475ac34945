package dev.warmup.insight;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.PoolObserver.Pool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HikariPoolsTests {

	private final HikariDataSource hikari = new HikariDataSource();

	HikariPoolsTests() {
		this.hikari.setJdbcUrl("jdbc:h2:mem:pools");
		this.hikari.setPoolName("main");
		this.hikari.setMaximumPoolSize(3);
		this.hikari.setMinimumIdle(0);
	}

	@AfterEach
	void close() {
		this.hikari.close();
	}

	@Test
	void poolReportsItsConnectionsAndIsNotStartedForThat() throws SQLException {
		Pool pool = pools(this.hikari).get(0);
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
	void poolIsFoundBehindAnotherDataSourceAndOnceAndOthersAreLeftOut() {
		DataSource wrapper = proxy(() -> this.hikari);
		DataSource broken = proxy(() -> {
			throw new SQLException("not now");
		});
		assertThat(pools(new JdbcDataSource(), broken)).isEmpty();
		assertThat(pools(this.hikari, wrapper)).hasSize(1);
		assertThat(pools(wrapper)).extracting(Pool::name).containsExactly("main");
	}

	private static List<Pool> pools(DataSource... dataSources) {
		return WarmupInsightAutoConfiguration.HikariConfiguration.pools(List.of(dataSources));
	}

	/** A data source that delegates every call. */
	private static DataSource proxy(Callable<DataSource> target) {
		return (DataSource) Proxy.newProxyInstance(HikariPoolsTests.class.getClassLoader(),
				new Class<?>[] { DataSource.class },
				(proxy, method, arguments) -> method.invoke(target.call(), arguments));
	}

}
