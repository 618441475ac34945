package dev.warmup.insight;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** A Spring MVC service on Tomcat and HikariCP, one of whose requests holds two. */
class ServletShopTests {

	private static final String DANGER = "Pool main can deadlock: orders/two holds 2 connections at once, so 200 threads"
			+ " need 200 x (2 - 1) + 1 = 201, but it has 3.";

	private static JsonNode run;

	private static WarmedShop shop;

	@BeforeAll
	static void warm() {
		shop = new WarmedShop(Shop.class, WebApplicationType.SERVLET);
		run = shop.run();
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	@Test
	void reportSaysHowManyConnectionsEachRequestHolds() {
		assertThat(run.path("verdict").asString()).as(run.toPrettyString()).isEqualTo("WARM");
		assertThat(run.path("requests").valueStream())
			.extracting((request) -> request.path("scenario").asString() + "/" + request.path("name").asString(),
					(request) -> request.path("connections").intValue())
			.containsExactly(tuple("orders/two", 2), tuple("orders/one", 1), tuple("carts/two", 2));
	}

	@Test
	void poolThatCanDeadlockIsFound() {
		assertThat(run.path("findings").valueStream().map(JsonNode::asString)).contains(DANGER);
	}

	@Test
	void thoseWhoWaitedForAConnectionAreToldOf() {
		assertThat(run.path("findings").valueStream().map(JsonNode::asString))
			.anySatisfy((finding) -> assertThat(finding)
				.matches("Pool main: (a request|\\d requests at once) waited for one of its 3 connections\\."));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		Looks looks() {
			return new Looks();
		}

		@Bean
		HikariDataSource pool(Looks looks) {
			HikariDataSource pool = new WatchedPool(looks);
			pool.setJdbcUrl("jdbc:h2:mem:shop");
			pool.setPoolName("main");
			pool.setMaximumPoolSize(3);
			return pool;
		}

		@Bean
		Orders orders(DataSource pool) {
			return new Orders(pool);
		}

	}

	@RestController
	static class Orders {

		private final DataSource pool;

		Orders(DataSource pool) {
			this.pool = pool;
		}

		@GetMapping("/one")
		Map<String, String> one() throws Exception {
			try (Connection connection = this.pool.getConnection()) {
				return held(connection);
			}
		}

		@GetMapping("/two")
		Map<String, String> two() throws Exception {
			try (Connection connection = this.pool.getConnection()) {
				connection.setAutoCommit(false);
				return one();
			}
		}

		private static Map<String, String> held(Connection connection) throws SQLException {
			record Held(String catalog) { // not loaded before the first request
			}
			return Map.of("in", new Held(connection.getCatalog()).catalog());
		}

	}

	/**
	 * Lends a connection when what is in use before was seen, and hands it over when that
	 * it is in use was seen too.
	 */
	private static final class WatchedPool extends HikariDataSource {

		private final Looks looks;

		WatchedPool(Looks looks) {
			this.looks = looks;
		}

		@Override
		public Connection getConnection() throws SQLException {
			this.looks.await();
			Connection connection = super.getConnection();
			this.looks.await();
			return connection;
		}

	}

}
