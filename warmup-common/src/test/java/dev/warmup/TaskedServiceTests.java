package dev.warmup;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.task.RedisPeer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A service with a pool, a Redis, a task of its own, and one that fails, warmed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskedServiceTests {

	private static final RedisPeer REDIS = new RedisPeer();

	private final WireMockServer gateway = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private RunningApplication service;

	private JsonNode run;

	@BeforeAll
	void warm() {
		this.gateway.start();
		this.gateway.stubFor(WireMock.put(WireMock.anyUrl()).willReturn(WireMock.noContent()));
		this.service = RunningApplication.service(Service.class, WebApplicationType.REACTIVE,
				"spring.application.name=chat-service", "warmup.gateway.url=" + this.gateway.baseUrl(),
				"warmup.catalog=classpath:dev/warmup/rooms.yml", "warmup.startup.min-repetitions=2");
		this.gateway.stubFor(WireMock.get(WireMock.urlPathMatching("/chat-service/.*"))
			.willReturn(WireMock.aResponse()
				.proxiedFrom(this.service.address())
				.withProxyUrlPrefixToRemove("/chat-service")));
		this.service.awaitReady();
		this.run = this.service.json("/actuator/warmup").at("/runs/0");
	}

	@AfterAll
	void stop() {
		this.service.close();
		this.gateway.stop();
		REDIS.close();
	}

	@Test
	void statusTellsOfEachTaskInItsOrder() {
		assertThat(this.run.path("tasks")).extracting((task) -> task.path("name").asString())
			.containsExactlyInAnyOrder("connector", "dns", "executors", "jdbc", "r2dbc", "redis", "prices", "stale")
			.endsWith("prices", "stale");
		for (JsonNode task : this.run.path("tasks")) {
			assertThat(task.propertyNames()).containsExactly("name", "took", "problem");
			assertThat(Duration.parse(task.path("took").asString())).isGreaterThanOrEqualTo(Duration.ZERO);
			assertThat(task.path("problem").isNull()).isEqualTo(!task.path("name").asString().equals("stale"));
		}
	}

	@Test
	void aTaskThatFailsIsFoundAndTheRunIsWarm() {
		assertThat(this.run.path("verdict").asString()).isEqualTo("WARM");
		assertThat(this.run.path("findings")).extracting(JsonNode::asString)
			.contains("task stale failed: IllegalStateException: no disk");
	}

	@Test
	void tasksAreMetered() {
		assertThat(this.service.count("warmup.task", "task:prices", "outcome:done")).isEqualTo(1);
		assertThat(this.service.count("warmup.task", "task:stale", "outcome:failed")).isEqualTo(1);
		JsonNode described = this.service.json("/actuator/metrics/warmup.task");
		assertThat(described.path("description").asString("")).isNotBlank();
		assertThat(described.path("baseUnit").asString("")).isNotBlank();
	}

	@Test
	void whatTheServiceHasIsWarm() {
		assertThat(this.service.bean(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections()).isEqualTo(2);
		assertThat(REDIS.commands()).contains("PING");
		assertThat(this.service.bean(Service.class).prices).containsExactly("loaded");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		final List<String> prices = new CopyOnWriteArrayList<>();

		@GetMapping({ "/rooms", "/rooms/{name}" })
		Map<String, Boolean> rooms() {
			return Map.of("warmup", true);
		}

		@Bean
		WarmupTask prices() {
			return WarmupTask.of("prices", () -> this.prices.add("loaded"));
		}

		@Bean
		WarmupTask stale() {
			return WarmupTask.of("stale", () -> {
				throw new IllegalStateException("no disk");
			});
		}

		@Bean
		HikariDataSource pool() {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
			pool.setMinimumIdle(2);
			return pool;
		}

		@Bean
		LettuceConnectionFactory redis() {
			return new LettuceConnectionFactory("localhost", REDIS.port());
		}

	}

}
