package dev.warmup.insight;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.RunningApplication;
import dev.warmup.Steadily;
import dev.warmup.insight.PoolSource.Pool;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Services that are warmed through a proxy, one of whose requests holds two of the three
 * connections of a pool: Spring MVC on HikariCP, and WebFlux on r2dbc-pool.
 */
class PooledServiceTests {

	private final WireMockServer gateway = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	@AfterEach
	void stop() {
		this.gateway.stop();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					SERVLET  | main              | , so 200 threads need 200 x (2 - 1) + 1 = 201, but it has 3.
					REACTIVE | connectionFactory | ; its 3 are enough for 2 such requests at a time, and no number of threads bounds these.
					""")
	void runReportsWhatEachRequestHoldsAndWhatThePoolLacks(WebApplicationType type, String pool, String risk) {
		JsonNode run = run(type, (type == WebApplicationType.SERVLET) ? ServletShop.class : ReactiveShop.class);
		assertThat(run.path("verdict").asString()).as(run.toPrettyString()).isEqualTo("WARM");
		assertThat(run.path("requests").valueStream())
			.extracting((request) -> request.path("scenario").asString() + "/" + request.path("name").asString(),
					(request) -> request.path("connections").intValue())
			.containsExactly(tuple("orders/two", 2), tuple("orders/one", 1), tuple("carts/two", 2));
		assertThat(run.path("findings").valueStream().map(JsonNode::asString))
			.contains("Pool %s can deadlock: orders/two holds 2 connections at once%s".formatted(pool, risk))
			.anySatisfy((finding) -> assertThat(finding)
				.matches("Pool %s: (a request|\\d requests at once) waited for one of its 3 connections\\."
					.formatted(pool)));
	}

	private JsonNode run(WebApplicationType type, Class<?> shop) {
		this.gateway.start();
		try (RunningApplication service = RunningApplication.service(shop, type,
				Steadily.and("spring.application.name=shop", "warmup.gateway.url=" + this.gateway.baseUrl(),
						"warmup.catalog=classpath:dev/warmup/pool/orders.yml", "warmup.startup.min-repetitions=12",
						"warmup.startup.concurrency=2", "warmup.gate.on-failure=closed"))) {
			this.gateway
				.stubFor(WireMock.put(WireMock.urlPathMatching("/.warmup/runs/.*")).willReturn(WireMock.noContent()));
			this.gateway.stubFor(WireMock.any(WireMock.urlPathMatching("/shop/.*"))
				.willReturn(WireMock.aResponse().proxiedFrom(service.address()).withProxyUrlPrefixToRemove("/shop")));
			service.awaitReady();
			return service.json("/actuator/warmup").at("/runs/0");
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ServletShop {

		private final Readings readings = new Readings();

		@Bean
		PoolSource readings() {
			return this.readings;
		}

		@Bean
		HikariDataSource pool() {
			HikariDataSource pool = new HikariDataSource() {

				@Override
				public Connection getConnection() throws SQLException {
					ServletShop.this.readings.await();
					Connection connection = super.getConnection();
					ServletShop.this.readings.await();
					return connection;
				}

			};
			pool.setJdbcUrl("jdbc:h2:mem:shop");
			pool.setPoolName("main");
			pool.setMaximumPoolSize(3);
			return pool;
		}

		@Bean
		ServletOrders orders(DataSource pool) {
			return new ServletOrders(pool);
		}

	}

	@RestController
	static class ServletOrders {

		private final DataSource pool;

		ServletOrders(DataSource pool) {
			this.pool = pool;
		}

		@GetMapping("/one")
		Map<String, Integer> one() throws SQLException {
			try (Connection connection = this.pool.getConnection()) {
				return Map.of("isolation", connection.getTransactionIsolation());
			}
		}

		@GetMapping("/two")
		Map<String, Integer> two() throws SQLException {
			try (Connection connection = this.pool.getConnection()) {
				connection.setAutoCommit(false);
				return one();
			}
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ReactiveShop {

		private final Readings readings = new Readings();

		@Bean
		PoolSource readings() {
			return this.readings;
		}

		/** H2 blocks, so it is kept off the event loop. */
		@Bean
		ConnectionPool connectionFactory() {
			Mono<Void> read = Mono.<Void>fromRunnable(this.readings::await).subscribeOn(Schedulers.boundedElastic());
			return new ConnectionPool(
					ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///shop"))
						.initialSize(0)
						.maxSize(3)
						.build()) {

				@Override
				public Mono<io.r2dbc.spi.Connection> create() {
					return read.then(super.create()).delayUntil((connection) -> read);
				}

			};
		}

		@Bean
		ReactiveOrders orders(ConnectionFactory pool) {
			return new ReactiveOrders(pool);
		}

	}

	@RestController
	static class ReactiveOrders {

		private final ConnectionFactory pool;

		ReactiveOrders(ConnectionFactory pool) {
			this.pool = pool;
		}

		@GetMapping("/one")
		Mono<Map<String, Integer>> one() {
			return holding(Mono.just(Map.of("held", 1))).subscribeOn(Schedulers.boundedElastic());
		}

		@GetMapping("/two")
		Mono<Map<String, Integer>> two() {
			return holding(holding(Mono.just(Map.of("held", 2)))).subscribeOn(Schedulers.boundedElastic());
		}

		private <T> Mono<T> holding(Mono<T> work) {
			return Mono.usingWhen(this.pool.create(), (connection) -> work, io.r2dbc.spi.Connection::close);
		}

	}

	/**
	 * A pool that is never used, beside the application's own. As all pools are read
	 * together, it knows when the others were read, so that a connection is lent and
	 * handed over only once the one before was seen in use.
	 */
	private static final class Readings implements PoolSource {

		private boolean observed;

		private long count;

		/**
		 * Waits for a reading from its beginning to its end. The third from now proves
		 * that: the first may have begun before, and the second is over by then. Does not
		 * wait before the first request, as the tasks of a run are not observed.
		 */
		synchronized void await() {
			long enough = this.count + 3;
			long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
			while (this.observed && this.count < enough) {
				long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
				if (left <= 0) {
					throw new IllegalStateException("The pools are not read");
				}
				try {
					wait(left);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					throw new IllegalStateException(ex);
				}
			}
		}

		@Override
		public synchronized List<Pool> pools() {
			this.observed = true;
			return List.of(new Pool("readings", this::read, () -> 0, () -> 1, 1, "none"));
		}

		private synchronized int read() {
			this.count++;
			notifyAll();
			return 0;
		}

	}

}
