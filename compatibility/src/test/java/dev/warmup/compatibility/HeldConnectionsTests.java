package dev.warmup.compatibility;

import java.time.Duration;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run finds that JPA takes a second connection from HikariCP where it numbers rows from
 * a table.
 */
class HeldConnectionsTests {

	private static final WireMockServer gateway = new WireMockServer(WireMockConfiguration.options().dynamicPort());

	private static RunningApplication service;

	private static JsonNode run;

	@BeforeAll
	static void warm() {
		gateway.start();
		service = RunningApplication.service(ReceiptsService.class, "spring.application.name=receipts",
				"eureka.client.enabled=false", "spring.datasource.url=jdbc:h2:mem:receipts",
				"spring.datasource.hikari.pool-name=main", "spring.jpa.open-in-view=false",
				"server.tomcat.threads.max=20", "warmup.gateway.url=" + gateway.baseUrl(),
				"warmup.catalog=classpath:dev/warmup/compatibility/receipts.yml", "warmup.startup.min-repetitions=5",
				"warmup.steady.tolerance=1000", "warmup.steady.max-spread=1000", "warmup.steady.window=5",
				"warmup.steady.max-jit=1000", "warmup.steady.max-classes=1000000", "warmup.gate.on-failure=closed");
		gateway.stubFor(WireMock.any(WireMock.urlPathMatching("/receipts.*"))
			.willReturn(WireMock.aResponse().proxiedFrom(service.address())));
		gateway.stubFor(WireMock.put(WireMock.urlPathMatching("/.warmup/runs/.*")).willReturn(WireMock.noContent()));
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.until(() -> service.get("/.warmup/ready").statusCode() == 200);
		run = service.json("/actuator/warmup").at("/runs/0");
	}

	@AfterAll
	static void stop() {
		service.close();
		gateway.stop();
	}

	@Test
	void requestThatWritesHoldsTwo() {
		assertThat(run.path("verdict").asString()).as(run.toPrettyString()).isEqualTo("WARM");
		assertThat(run.at("/requests/0/name").asString()).isEqualTo("write");
		assertThat(run.at("/requests/0/connections").intValue()).isEqualTo(2);
	}

	@Test
	void poolIsFoundToBeTooSmallForTheServersThreads() {
		assertThat(run.path("findings").valueStream().map(JsonNode::asString))
			.contains("Pool main can deadlock: receipt/write holds 2 connections at once, so 20 threads need"
					+ " 20 x (2 - 1) + 1 = 21, but it has 10.");
	}

}
