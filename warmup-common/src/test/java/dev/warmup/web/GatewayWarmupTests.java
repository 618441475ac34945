package dev.warmup.web;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.matching.RequestPattern;
import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.LenientCriteria;
import dev.warmup.RunningApplication;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service, reactive or servlet, that was warmed through one gateway and receives
 * warm-up requests from others. A stub decides which gateways are registered.
 */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayWarmupTests {

	private WireMockServer first;

	private WireMockServer second;

	@Parameter
	private WebApplicationType type;

	private RunningApplication service;

	private int statusBeforeTheFirstRun;

	@BeforeParameterizedClassInvocation
	void warm() {
		this.first = RunningApplication.stub();
		this.second = RunningApplication.stub();
		this.service = RunningApplication.service(Service.class, this.type,
				LenientCriteria.and("spring.application.name=chat-service",
						"warmup.gateway.url=" + this.first.baseUrl(), "warmup.gateway.service-id=edge",
						"warmup.startup.min-repetitions=5", "warmup.startup.max-repetitions=5",
						"registered.uri=" + this.second.baseUrl()));
		this.statusBeforeTheFirstRun = request("edge-early", "startup").statusCode();
		this.service.warmThrough(this.first, "/chat-service");
		this.service.warmThrough(this.second, "/chat-service");
		this.service.awaitReady();
		await(() -> status().at("/runs/0/verdict").asString().equals("WARM"));
		this.service.awaitEndOfRuns();
	}

	@AfterParameterizedClassInvocation
	void stop() {
		this.service.close();
		this.first.stop();
		this.second.stop();
	}

	@Test
	void onlyTheRequestingGatewayIsWarmed() {
		JsonNode before = status();
		int throughFirst = this.first.getAllServeEvents().size();
		HttpResponse<String> answer = request("edge-1", "startup");
		assertThat(answer.statusCode()).isEqualTo(202);
		assertThat(answer.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("application/json"));
		String run = JsonMapper.shared().readTree(answer.body()).path("run").asString();
		RequestPattern report = WireMock.putRequestedFor(WireMock.urlEqualTo("/.warmup/runs/" + run))
			.withRequestBody(WireMock.containing("\"phase\":\"WARM\""))
			.build();
		await(() -> status().at("/runs/0/id").asString().equals(run)
				&& this.second.countRequestsMatching(report).getCount() == 1);
		JsonNode after = status();
		assertThat(after.at("/runs/0/gateway").asString()).isEqualTo("edge-1");
		assertThat(after.at("/runs/0/trigger").asString()).isEqualTo("STARTUP");
		assertThat(after.at("/runs/0/verdict").asString()).isEqualTo("WARM");
		assertThat(after.path("since")).isEqualTo(before.path("since"));
		assertThat(this.first.getAllServeEvents()).hasSize(throughFirst);
		this.second.verify(5, WireMock.getRequestedFor(WireMock.urlEqualTo("/chat-service/rooms"))
			.withHeader("X-Warmup", WireMock.containing("run=" + run)));
	}

	@ParameterizedTest
	@CsvSource({ "edge-3, idle, 404", "edge-4, '', 400", "edge-4, manual, 400", "edge-4, STARTUP, 400",
			"edge-4, train, 400", "edge-4, 'idle,startup', 400", "room-1, startup, 404", "unavailable, startup, 503" })
	void requestStartsNoRun(String gateway, String trigger, int status) {
		assertThat(request(gateway, trigger).statusCode()).isEqualTo(status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?", "?trigger", "?trigger=", "?trigger&trigger=startup" })
	void requestWithoutATriggerIsBadWhoeverSendsIt(String query) {
		String path = "/.warmup/gateways/edge-4" + query;
		assertThat(this.service.send(HttpMethod.POST, path, "").statusCode()).isEqualTo(400);
		assertThat(this.service.send(HttpMethod.POST, path, "", "X-Warmup", claim("edge-4")).statusCode())
			.isEqualTo(400);
	}

	@Test
	void catalogThatCannotBeReadIsNotMistakenForAnUnverifiedClaim() {
		Service.catalogFails = true;
		try (CapturedLog log = CapturedLog.of(GatewayWarmups.class)) {
			assertThat(request("edge-7", "startup").statusCode()).isEqualTo(503);
			assertThat(log.lines()).containsExactly("WARN No run can be started through gateway edge-7: "
					+ "java.lang.IllegalStateException: no catalog");
		}
		finally {
			Service.catalogFails = false;
		}
	}

	@Test
	void applicationSeesNoClaimToTheLibrarysPathsAlsoWhereNoProtocolFilterAnswers() {
		assertThat(this.service.get("/.warmup/unanswered", "X-Warmup", claim("edge-5"), "X-Other", "yes").body())
			.isEqualTo("[x-other]");
	}

	@ParameterizedTest
	@CsvSource({ "unknown, unknown", "renamed-1, renamed-1", "edge-5, edge-6", "edge-5/x, edge-5" })
	void claimOfNoRegisteredGatewayIsForbidden(String path, String claimant) {
		assertForbidden(path, claim(claimant));
	}

	@Test
	void missingUnprovenAndRepeatedClaimsAreForbidden() {
		assertForbidden("edge-5");
		assertForbidden("edge-5", "true");
		assertForbidden("edge-5", "instance=edge-5; run=r");
		assertForbidden("edge-5", claim("edge-5"), claim("edge-5"));
	}

	private void assertForbidden(String path, String... claims) {
		String[] headers = Stream.of(claims).flatMap((claim) -> Stream.of("X-Warmup", claim)).toArray(String[]::new);
		assertThat(this.service.send(HttpMethod.POST, "/.warmup/gateways/" + path + "?trigger=startup", "", headers)
			.statusCode()).isEqualTo(403);
	}

	@Test
	void requestConflictsWithTheFirstRunAndIsNoUserActivity() {
		assertThat(this.statusBeforeTheFirstRun).isEqualTo(409);
		assertThat(this.service.get("/.warmup/gateways/edge-5?trigger=startup").statusCode()).as("GET").isEqualTo(404);
		request("unknown", "startup");
		assertThat(status().at("/idle/lastUserRequest").isNull()).isTrue();
	}

	@Test
	void runsAreStartedOnDemandOnlyWhereThatWasGranted() {
		assertThat(this.service.send(HttpMethod.POST, "/actuator/warmup", "").statusCode()).isEqualTo(405);
	}

	private HttpResponse<String> request(String gateway, String trigger) {
		return this.service.send(HttpMethod.POST, "/.warmup/gateways/" + gateway + "?trigger=" + trigger, "",
				"X-Warmup", claim(gateway));
	}

	private static String claim(String gateway) {
		return Claims.key("edge").claim(gateway, "chat-service", SignedClaim.Scope.ASK, "r-1").format();
	}

	private JsonNode status() {
		return this.service.json("/actuator/warmup");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		private static volatile boolean catalogFails;

		@GetMapping("/rooms")
		List<String> list() {
			return List.of("lobby");
		}

		/** Which of the test's headers arrived. */
		@GetMapping("/.warmup/unanswered")
		String headers(@RequestHeader HttpHeaders headers) {
			return headers.headerNames()
				.stream()
				.map((name) -> name.toLowerCase(Locale.ROOT))
				.filter((name) -> name.startsWith("x-"))
				.toList()
				.toString();
		}

		@Bean
		CatalogSource catalog() {
			CatalogSource rooms = CatalogSource.required(new ClassPathResource("dev/warmup/web/rooms.yml"));
			return () -> {
				if (catalogFails) {
					throw new IllegalStateException("no catalog");
				}
				return rooms.current();
			};
		}

		@Bean
		InstanceLookup registry(@Value("${registered.uri}") URI gateway) {
			return (instanceId) -> switch (instanceId) {
				case "unknown" -> Mono.just(Optional.empty());
				case "unavailable" -> Mono.error(new IllegalStateException("away"));
				case "room-1" -> registered(gateway, instanceId, "room-service");
				case "renamed-1" -> registered(gateway, "another", "EDGE");
				default -> registered(gateway, instanceId, "EDGE");
			};
		}

		private static Mono<Optional<ServiceInstance>> registered(URI uri, String instanceId, String serviceId) {
			return Mono.just(Optional.of(new DefaultServiceInstance(instanceId, serviceId, uri.getHost(), uri.getPort(),
					false, Map.of(WarmupKey.METADATA_KEY, Claims.jwk("edge")))));
		}

	}

}
