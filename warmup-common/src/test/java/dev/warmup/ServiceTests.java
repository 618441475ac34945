package dev.warmup;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.protocol.WarmupHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

/** Real services, warmed through a gateway that WireMock stands in for. */
class ServiceTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	@BeforeEach
	void takeNews() {
		gateway.stubFor(WireMock.post(WireMock.urlPathMatching("/.warmup/instances/.*"))
			.willReturn(WireMock.noContent().withHeader(WarmupHeader.GATEWAY, "gw:1")));
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void itIsWarmedAndReportsHow(WebApplicationType type) {
		try (RunningApplication service = service(type, "warmup.startup.budget=5s", "warmup.startup.min-repetitions=2",
				"management.endpoint.warmup.access=unrestricted")) {
			passOn(service);
			RunningApplication.await(() -> !service.json("/actuator/warmup").at("/runs/0/verdict").isMissingNode());
			JsonNode status = service.json("/actuator/warmup");
			assertThat(status.at("/phase").asString()).isEqualTo("WARM");
			assertThat(status.at("/gate").asString()).isEqualTo("OPEN");
			assertThat(status.at("/idle/after").asString()).isEqualTo("PT30M");
			JsonNode run = status.at("/runs/0");
			assertThat(run.at("/verdict").asString()).isEqualTo("WARM");
			assertThat(run.at("/gateways/0").asString()).isEqualTo("gw:1");
			assertThat(run.at("/failed").asLong()).isZero();
			assertThat(run.at("/requests")).hasSize(3)
				.allSatisfy((request) -> assertThat(request.at("/sent").asLong()).isGreaterThanOrEqualTo(2));
			assertThat(service.count("warmup.run", "trigger:startup", "verdict:warm")).isOne();
			assertThat(service.count("warmup.request", "request:create", "outcome:expected"))
				.isEqualTo(run.at("/requests/1/sent").asLong());
			assertThat(service.count("http.server.requests", "uri:/rooms", "method:GET", "warmup:true"))
				.isEqualTo(run.at("/requests/0/sent").asLong());
			assertThat(service.send(HttpMethod.POST, "/actuator/warmup", "").statusCode()).isEqualTo(202);
			assertThat(service.send(HttpMethod.POST, "/actuator/warmup", "").statusCode()).isEqualTo(409);
		}
	}

	@Test
	void itsStopIsNewsWhileItsServerStillAnswers() {
		AtomicReference<RunningApplication> stopping = new AtomicReference<>();
		// Of each news since the stop began: that of the gate may still be under way.
		List<String> states = new CopyOnWriteArrayList<>();
		WireMockServer asking = new WireMockServer(wireMockConfig().dynamicPort());
		asking.addMockServiceRequestListener((request, response) -> Optional.ofNullable(stopping.get())
			.ifPresent((service) -> states
				.add(service.get("/.warmup/state?gateway=gw:1", WarmupHeader.GATEWAY, "gw:1").body())));
		asking.start();
		try {
			asking.stubFor(WireMock.any(WireMock.anyUrl())
				.willReturn(WireMock.noContent().withHeader(WarmupHeader.GATEWAY, "gw:1")));
			try (RunningApplication service = withoutACatalog(asking.baseUrl())) {
				stopping.set(service);
			}
			assertThat(states).anySatisfy((state) -> assertThat(state).contains("\"leaving\":true"));
		}
		finally {
			asking.stop();
		}
	}

	@Test
	void withoutACatalogItStillSendsNews() {
		try (RunningApplication service = withoutACatalog(gateway.baseUrl())) {
			assertThat(service.json("/actuator/warmup").at("/runs/0/verdict").asString()).isEqualTo("SKIPPED");
			RunningApplication.await(
					() -> !gateway.findAll(WireMock.postRequestedFor(WireMock.urlPathMatching("/.warmup/instances/.*")))
						.isEmpty());
		}
	}

	/** Ready, since there is nothing to send. */
	private static RunningApplication withoutACatalog(String url) {
		RunningApplication service = RunningApplication.service(Rooms.class, WebApplicationType.REACTIVE,
				"warmup.gateway.url=" + url);
		RunningApplication.await(() -> service.get("/.warmup/ready").statusCode() == 200);
		return service;
	}

	@Test
	void theGateOpensAtTheDeadlineWhateverHangs() {
		gateway.stubFor(WireMock.any(WireMock.anyUrl()).atPriority(1).willReturn(WireMock.ok().withFixedDelay(60_000)));
		try (RunningApplication service = service(WebApplicationType.REACTIVE, "warmup.startup.deadline=1s")) {
			RunningApplication.await(() -> service.get("/.warmup/ready").statusCode() == 200);
		}
	}

	private static RunningApplication service(WebApplicationType type, String... properties) {
		return RunningApplication.service(Rooms.class, type,
				Stream
					.concat(Stream.of("warmup.gateway.url=" + gateway.baseUrl(),
							"warmup.catalog=classpath:dev/warmup/rooms.yml"), Stream.of(properties))
					.toArray(String[]::new));
	}

	private static void passOn(RunningApplication service) {
		gateway.stubFor(WireMock.any(WireMock.urlPathMatching("/shop/.*"))
			.willReturn(WireMock.aResponse().proxiedFrom(service.address()).withProxyUrlPrefixToRemove("/shop")));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Rooms {

		@Bean
		Controller controller() {
			return new Controller();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/rooms")
		String rooms() {
			return "[]";
		}

		@PostMapping("/rooms")
		@ResponseStatus(HttpStatus.CREATED)
		Map<String, Object> create(@RequestBody Map<String, Object> room) {
			return Map.of("id", 7, "name", room.get("name"));
		}

		@GetMapping("/rooms/{id}")
		String room(@PathVariable long id) {
			return "{\"id\":%d}".formatted(id);
		}

	}

}
