package dev.warmup.insight;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.PoolObserver.Pool;
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
	void poolIsFoundOnce() {
		assertThat(pools(this.hikari, this.hikari)).hasSize(1);
	}

	private static List<Pool> pools(DataSource... dataSources) {
		return WarmupInsightAutoConfiguration.HikariConfiguration.pools(List.of(dataSources));
	}

}
