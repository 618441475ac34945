package dev.warmup.web;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** An application never sees a claim, also where its warm-up is off. */
class DisabledServiceTests {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void claimsAreStripped(WebApplicationType type) {
		try (RunningApplication service = RunningApplication.service(Service.class, type,
				"spring.application.name=chat-service", "warmup.enabled=false")) {
			assertThat(service.get("/seen", "x-WARMUP", Claims.replay("chat-1", "r"), "X-Kept", "yes").body())
				.isEqualTo("{\"claim\":\"\",\"kept\":\"yes\"}");
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
