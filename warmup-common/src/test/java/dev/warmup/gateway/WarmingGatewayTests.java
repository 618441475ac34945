package dev.warmup.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.warmup.GateOpened;
import dev.warmup.RunningApplication;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.event.EventListener;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A real gateway that a service in simple discovery warms. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WarmingGatewayTests {

	private final WireMockServer service = RunningApplication.stub();

	private RunningApplication gateway;

	private int readyBefore;

	private JsonNode statusBefore;

	private JsonNode statusAfter;

	private Instant after;

	@BeforeAll
	void warm() {
		this.service.stubFor(WireMock.post(WireMock.urlPathMatching("/base/.warmup/gateways/.*"))
			.willReturn(WireMock.jsonResponse("{\"run\":\"run-1\"}", 202)));
		this.gateway = new GatewayFixture()
			.with("warmup.gate.on-failure=closed", "warmup.idle.after=2h", "warmup.idle.jitter=0",
					"spring.cloud.discovery.client.simple.instances.chat-service[0].metadata.warmup-base-path=/base")
			.instances("chat-service", this.service.baseUrl(), "chat-1")
			.start(Gateway.class);
		this.readyBefore = this.gateway.get("/.warmup/ready").statusCode();
		this.statusBefore = this.gateway.json("/actuator/warmup");
		await(() -> !requests().isEmpty());
		assertThat(Reports.put(this.gateway, Reports.warm("chat-service", "chat-1", "run-1"))).isEqualTo(204);
		this.gateway.awaitReady();
		this.statusAfter = this.gateway.json("/actuator/warmup");
		this.after = Instant.now();
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.service.stop();
	}

	@Test
	void gatewayIsReadyWhenTheServiceHasReportedOnItsSignedRequest() {
		String id = this.statusAfter.path("instanceId").asString();
		WarmupKey key = this.gateway.bean(WarmupKey.class);
		assertThat(requests()).singleElement().satisfies((request) -> {
			assertThat(request.getUrl()).isEqualTo("/base/.warmup/gateways/" + id + "?trigger=startup");
			assertThat(WarmupClaim.parse(request.getHeader("X-Warmup"))).hasValueSatisfying((claim) -> {
				assertThat(claim.instanceId()).isEqualTo(id);
				assertThat(claim.jwt().filter(key::verifies)).isPresent();
				assertThat(claim.read(SignedClaim.Scope.ASK, new Instance("chat-service", "chat-1"), Instant.now()))
					.isPresent();
			});
		});
		assertThat(this.readyBefore).isEqualTo(503);
		assertThat(this.statusBefore.path("gate").asString()).isEqualTo("CLOSED");
		assertThat(this.statusAfter.path("gate").asString()).isEqualTo("OPEN");
		assertThat(this.gateway.bean(Gateway.class).openings).hasSize(1);
	}

	@Test
	void statusShowsWhenTheGatewayIsWarmedAgain() {
		assertThat(this.statusBefore.at("/idle/next").isNull()).isTrue();
		assertThat(this.statusAfter.at("/idle/after").asString()).isEqualTo("PT2H");
		assertThat(this.statusAfter.at("/idle/lastUserRequest").isNull()).isTrue();
		Instant seen = Instant.parse(this.statusAfter.at("/fleet/0/since").asString());
		assertThat(Instant.parse(this.statusAfter.at("/idle/next").asString())).isBetween(
				seen.plus(Duration.ofHours(2)).minusSeconds(1), this.after.plus(Duration.ofHours(2)).plusSeconds(1));
	}

	@Test
	@Tag("full")
	void gatewayWaitsForAnEurekaServerThatIsDownAndIsReadyOnceItListsNoServices() {
		WireMockServer eureka = RunningApplication.stub();
		try (RunningApplication waiting = new GatewayFixture()
			.with("eureka.client.enabled=true", "eureka.client.jersey.enabled=false",
					"eureka.client.register-with-eureka=false", "eureka.client.registry-fetch-interval-seconds=3",
					"eureka.client.service-url.defaultZone=" + eureka.baseUrl() + "/eureka/",
					"warmup.startup.budget=10m")
			.start()) {
			assertThat(waiting.bean(InstanceLookup.class).isFetched()).isFalse();
			assertThat(waiting.get("/.warmup/ready").statusCode()).isEqualTo(503);
			eureka.stubFor(WireMock.get(WireMock.urlPathMatching("/eureka/apps/.*"))
				.willReturn(WireMock.okJson(
						"{\"applications\":{\"versions__delta\":\"1\",\"apps__hashcode\":\"\",\"application\":[]}}")));
			waiting.awaitReady();
			assertThat(waiting.bean(InstanceLookup.class).isFetched()).isTrue();
		}
		finally {
			eureka.stop();
		}
	}

	@Test
	void gatewayReachesAServiceByTheTlsSettingsOfItsRoutes() {
		WireMockServer secured = new WireMockServer(
				WireMockConfiguration.options().bindAddress("localhost").dynamicPort().dynamicHttpsPort());
		secured.start();
		try (RunningApplication trusting = new GatewayFixture()
			.with("spring.cloud.gateway.server.webflux.httpclient.ssl.use-insecure-trust-manager=true",
					"warmup.startup.budget=10m")
			.service("chat", secured.baseUrl())
			.start()) {
			assertThat(secured.baseUrl()).startsWith("https:");
			assertThat(trusting.get("/chat/rooms").statusCode()).as("by the stub").isEqualTo(404);
			await(() -> !secured.findAll(WireMock.postRequestedFor(WireMock.anyUrl())).isEmpty());
		}
		finally {
			secured.stop();
		}
	}

	private List<LoggedRequest> requests() {
		return this.service.findAll(WireMock.postRequestedFor(WireMock.urlPathMatching("/base/.warmup/gateways/.*")));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		private final List<GateOpened> openings = new CopyOnWriteArrayList<>();

		@EventListener
		void opened(GateOpened event) {
			this.openings.add(event);
		}

	}

}
