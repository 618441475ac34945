package dev.warmup.example.chat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;

import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.run.WarmupState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The startup run replays the catalog against the service itself, which answers as its
 * gateway would.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.DEFINED_PORT,
		properties = { "eureka.client.enabled=false", "warmup.gateway.url=http://127.0.0.1:${server.port}",
				"warmup.startup.min-repetitions=10", "warmup.startup.max-repetitions=10", "management.server.port=0",
				"spring.r2dbc.url=r2dbc:h2:mem:///catalog?options=DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
				"spring.flyway.url=jdbc:h2:mem:catalog;DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE" })
@Timeout(120)
class WarmupCatalogTests {

	private static final Duration LIMIT = Duration.ofSeconds(90);

	@Autowired
	DatabaseClient database;

	@Autowired
	WarmupState warmup;

	@DynamicPropertySource
	static void port(DynamicPropertyRegistry properties) throws IOException {
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			int port = free.getLocalPort();
			properties.add("server.port", () -> port);
		}
	}

	@Test
	void catalogPassesAndLeavesTheTablesUnchanged() {
		Awaitility.await().atMost(LIMIT).until(() -> !this.warmup.runs().isEmpty());
		RunRecord run = this.warmup.runs().get(0);
		assertThat(run.failed()).as(run.toString()).isZero();
		assertThat(run.requests()).isNotEmpty().allSatisfy((request) -> assertThat(request.sent()).isPositive());
		Map.of("users", 0L, "rooms", 1L, "members", 0L, "messages", 0L)
			.forEach((table, rows) -> assertThat(count(table)).as(table).isEqualTo(rows));
	}

	private Long count(String table) {
		return this.database.sql("SELECT COUNT(*) AS n FROM " + table)
			.map((row) -> row.get("n", Long.class))
			.one()
			.block(LIMIT);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Gateway {

		/** Accepts the instance and its reports, and removes the prefix of its route. */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter gateway() {
			return (exchange, chain) -> {
				String path = exchange.getRequest().getPath().value();
				if (path.startsWith("/.warmup/")) {
					exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
					exchange.getResponse().getHeaders().set(WarmupClaim.GATEWAY_HEADER, "gateway");
					return exchange.getResponse().setComplete();
				}
				String routed = path.replaceFirst("^/chat-service(?=/)", "");
				return chain.filter(exchange.mutate().request((request) -> request.path(routed)).build());
			};
		}

	}

}
