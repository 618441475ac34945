package dev.warmup;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.zaxxer.hikari.HikariDataSource;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A service with pools, tasks of its own, and one that fails, warmed. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskedServiceTests {

	private static final Pattern ENDED = Pattern.compile("Warm-up task (\\S+) (?:took|failed after) \\d+ ms");

	private final WireMockServer gateway = RunningApplication.stub();

	private RunningApplication service;

	private JsonNode run;

	@BeforeAll
	void warm() {
		this.service = RunningApplication.service(Service.class, WebApplicationType.SERVLET,
				LenientCriteria.and("spring.application.name=chat-service",
						"warmup.gateway.url=" + this.gateway.baseUrl(), "warmup.catalog=classpath:dev/warmup/rooms.yml",
						"warmup.startup.min-repetitions=10", "warmup.startup.max-repetitions=10",
						"warmup.startup.budget=2m", "warmup.gate.on-failure=closed",
						"logging.level.dev.warmup.run.WarmupTasks=debug"));
		this.service.warmThrough(this.gateway, "/chat-service");
		this.service.awaitReady();
		this.run = this.service.json("/actuator/warmup").at("/runs/0");
	}

	@AfterAll
	void stop() {
		this.service.close();
		this.gateway.stop();
	}

	@Test
	void eachTaskIsRunInItsOrder(CapturedOutput output) {
		assertThat(ENDED.matcher(output.getOut()).results()).extracting((ended) -> ended.group(1))
			.containsExactlyInAnyOrder("connector", "dns", "executors", "jdbc", "r2dbc", "before", "prices", "stale")
			.startsWith("before")
			.endsWith("prices", "stale");
	}

	@Test
	void aTaskThatFailsIsLoggedAndFoundAndTheRunIsWarm(CapturedOutput output) {
		assertThat(output.getOut().lines())
			.filteredOn((line) -> line.contains(" WARN ") && line.contains("Warm-up task"))
			.singleElement()
			.asString()
			.containsPattern("stale failed after \\d+ ms, the run goes on: IllegalStateException: no disk$");
		assertThat(this.run.path("verdict").asString()).isEqualTo("WARM");
		assertThat(this.run.path("findings")).extracting(JsonNode::asString)
			.contains("task stale failed: IllegalStateException: no disk");
	}

	@Test
	void whatTheServiceHasIsWarm() {
		assertThat(this.service.bean(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections())
			.isGreaterThanOrEqualTo(2);
		assertThat(this.service.bean(Service.class).prices).containsExactly("loaded");
		assertThat(this.service.bean(Service.class).executor.getPoolSize()).isEqualTo(2);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		final List<String> prices = new CopyOnWriteArrayList<>();

		private final HikariDataSource pool = new HikariDataSource();

		private final ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();

		@GetMapping("/rooms")
		Map<String, Boolean> rooms() {
			return Map.of("warmup", true);
		}

		@GetMapping("/rooms/{name}")
		Map<String, Boolean> room() throws SQLException {
			try (Connection connection = this.pool.getConnection()) {
				return Map.of("warmup", connection.isValid(1));
			}
		}

		@Bean
		WarmupTask prices() {
			return WarmupTask.of("prices", () -> this.prices.add("loaded"));
		}

		@Bean
		@Order(-1)
		WarmupTask before() {
			return WarmupTask.of("before", () -> {
			});
		}

		@Bean
		WarmupTask stale() {
			return WarmupTask.of("stale", () -> {
				throw new IllegalStateException("no disk");
			});
		}

		@Bean
		HikariDataSource pool() {
			this.pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
			this.pool.setPoolName("main");
			this.pool.setMinimumIdle(2);
			return this.pool;
		}

		@Bean
		ConnectionPool connectionFactory() {
			return new ConnectionPool(
					ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///tasks"))
						.allocatorSubscribeOn(Schedulers.boundedElastic())
						.initialSize(1)
						.maxSize(3)
						.build());
		}

		@Bean
		ThreadPoolTaskExecutor executor() {
			this.executor.setCorePoolSize(2);
			return this.executor;
		}

	}

}
