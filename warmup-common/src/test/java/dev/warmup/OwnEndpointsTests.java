package dev.warmup;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A real gateway that answers a request itself, and warms that before users come. */
class OwnEndpointsTests {

	private static final String[] QUICK = { "spring.application.name=gateway", "warmup.startup.budget=1s",
			"warmup.steady.tolerance=1000", "warmup.steady.window=5" };

	@ParameterizedTest
	@CsvSource({ "'', ''", "/gw, /gw" })
	void theyAreWarmedBeforeTheGateOpensByRequestsThatAreMarkedAndNoUsers(String base, String prefix) {
		try (RunningApplication gateway = start("", base); CapturedLog log = CapturedLog.of("dev.warmup")) {
			RunningApplication.await(() -> gateway.get(prefix + "/.warmup/ready").statusCode() == 200);
			Summary summary = gateway.bean(Summary.class);
			assertThat(summary.requests).hasValueGreaterThanOrEqualTo(10);
			assertThat(summary.unmarked).isFalse();
			assertThat(summary.others).hasValue(0);
			assertThat(gateway.bean(UserActivity.class).last()).isEmpty();
			assertThat(log.lines()).anyMatch((line) -> line.matches("INFO gateway/\\S+ WARM startup: .* 0 failed.*"));
			JsonNode status = gateway.json(prefix + "/actuator/warmup");
			assertThat(status.at("/phase").asString()).isEqualTo("WARM");
			assertThat(status.at("/run/sent").asInt()).isEqualTo(summary.requests.get());
		}
	}

	@Test
	void theirMetersAreTagged() {
		try (RunningApplication gateway = start("", "")) {
			RunningApplication.await(() -> gateway.get("/.warmup/ready").statusCode() == 200);
			assertThat(gateway.get("/summary").statusCode()).isEqualTo(200);
			assertThat(gateway.count("http.server.requests", "uri:/summary", "warmup:true"))
				.isEqualTo(gateway.bean(Summary.class).requests.get() - 1);
			assertThat(gateway.count("http.server.requests", "uri:/summary", "warmup:false")).isOne();
		}
	}

	@Test
	void theGateOpensWhereTheyFail() {
		try (RunningApplication gateway = start("broken", "")) {
			RunningApplication.await(() -> gateway.get("/.warmup/ready").statusCode() == 200);
			assertThat(gateway.bean(OwnState.class).phase()).isEqualTo(Phase.FAILED);
			assertThat(gateway.json("/actuator/warmup").at("/run/reason").asString())
				.startsWith("GET /summary 500 (expected 2xx)");
		}
	}

	private static RunningApplication start(String profile, String base) {
		return RunningApplication.gateway(Application.class, QUICK[0], QUICK[1], QUICK[2], QUICK[3],
				"spring.webflux.base-path=" + base, "spring.profiles.active=" + profile);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Summary.class)
	static class Application {

		@Bean
		CatalogSource catalog() {
			return CatalogSource.required(new ByteArrayResource("""
					version: 1
					scenarios:
					  - { name: own, service: gateway, requests: [GET /summary] }
					  - { name: services, requests: [GET /others] }
					""".getBytes(StandardCharsets.UTF_8)));
		}

	}

	@RestController
	static class Summary {

		private final AtomicInteger requests = new AtomicInteger();

		private final AtomicInteger others = new AtomicInteger();

		private final AtomicBoolean unmarked = new AtomicBoolean();

		private final boolean broken;

		Summary(Environment environment) {
			this.broken = environment.matchesProfiles("broken");
		}

		@GetMapping("/summary")
		Mono<ResponseEntity<String>> summary(ServerHttpRequest request) {
			return Mono.deferContextual((context) -> {
				this.requests.incrementAndGet();
				Optional<WarmupContext> mark = WarmupContext.find(context);
				if (mark.isEmpty() || request.getHeaders().containsHeader(WarmupHeader.NAME)) {
					this.unmarked.set(true);
				}
				return Mono.just(ResponseEntity.status(this.broken ? 500 : 200).body("summary"));
			});
		}

		@GetMapping("/others")
		String others() {
			this.others.incrementAndGet();
			return "others";
		}

	}

}
