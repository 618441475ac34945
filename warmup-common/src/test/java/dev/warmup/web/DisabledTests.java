package dev.warmup.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where warm-up is off, an application never sees a claim, and a gateway still protects
 * the services behind it.
 */
class DisabledTests {

	@ParameterizedTest
	@CsvSource({ "REACTIVE, false", "SERVLET, false", "REACTIVE, off", "SERVLET, off" })
	void serviceStripsClaimsAndItsRequestsAreNotTagged(WebApplicationType type, String enabled) {
		try (RunningApplication service = RunningApplication.service(Service.class, type,
				"spring.application.name=chat-service", "warmup.enabled=" + enabled)) {
			assertThat(service.get("/seen", "x-WARMUP", Claims.replay("chat-1", "r"), "X-Kept", "yes").body())
				.isEqualTo("{\"claim\":\"\",\"kept\":\"yes\"}");
			await(() -> service.count("http.server.requests", "uri:/seen") == 1);
			assertThat(service.json("/actuator/metrics/http.server.requests").path("availableTags"))
				.extracting((tag) -> tag.path("tag").asString())
				.contains("uri")
				.doesNotContain("warmup");
		}
	}

	@Test
	void gatewayStripsClaimsWithoutVerifyingThemAndClosesThePathsOfTheLibrary() {
		WireMockServer service = RunningApplication.stub();
		service.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok("fine")));
		try (RunningApplication gateway = new GatewayFixture().with("warmup.enabled=false")
			.route("all", service.baseUrl(), "/**")
			.start()) {
			for (String claim : List.of("instance=chat-1; run=r", Claims.replay("chat-1", "r"), "true", "")) {
				assertThat(gateway.get("/rooms", "x-WARMUP", claim, "X-Kept", "yes").body()).isEqualTo("fine");
			}
			for (String path : List.of("/chat/actuator/warmup", "/chat//actuator/%77armup",
					"/chat/ACTUATOR/warmup;a=b/", "/chat/actuator/./warmup", "/chat/x/%2e%2e/actuator/warmup",
					"/chat/%2561ctuator/warmup", "/chat/.warmup/ready", "/chat/%2ewarmup/runs/r")) {
				assertThat(gateway.get(path).statusCode()).as(path).isEqualTo(404);
			}
			service.verify(4, WireMock.anyRequestedFor(WireMock.anyUrl()));
			service.verify(4,
					WireMock.getRequestedFor(WireMock.urlEqualTo("/rooms"))
						.withHeader("X-Kept", WireMock.equalTo("yes"))
						.withoutHeader("X-Warmup"));
		}
		finally {
			service.stop();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		@GetMapping("/seen")
		Map<String, String> seen(@RequestHeader("X-Warmup") Optional<String> claim,
				@RequestHeader("X-Kept") String kept) {
			return new TreeMap<>(Map.of("claim", claim.orElse(""), "kept", kept));
		}

	}

}
