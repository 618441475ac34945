package dev.warmup.actuate;

import java.net.http.HttpResponse;
import java.util.stream.Stream;

import dev.warmup.RunningApplication;
import dev.warmup.service.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The health endpoints of real applications, whose gate the test opens. */
class ReadinessTests {

	private static final String READINESS = "/actuator/health/readiness";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void serviceIsReadyWhenTheGateIsOpen(WebApplicationType type) {
		try (RunningApplication service = service(type,
				"management.endpoint.health.probes.add-additional-paths=true")) {
			assertThat(body(service.get(READINESS), 503).at("/status").asString()).isEqualTo("OUT_OF_SERVICE");
			JsonNode closed = body(service.get("/actuator/health"), 503).at("/components/warmup");
			assertThat(closed.at("/status").asString()).isEqualTo("OUT_OF_SERVICE");
			assertThat(closed.at("/details/gate").asString()).isEqualTo("CLOSED");
			assertThat(closed.at("/details/phase").asString()).isIn("COLD", "WARMING");
			assertThat(service.get("/readyz").statusCode()).isEqualTo(503);
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(503);
			assertThat(service.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
			service.bean(Gate.class).open();
			assertThat(body(service.get(READINESS), 200).at("/status").asString()).isEqualTo("UP");
			JsonNode open = body(service.get("/actuator/health"), 200).at("/components/warmup");
			assertThat(open.at("/details/gate").asString()).isEqualTo("OPEN");
			assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
			assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(200);
		}
	}

	/** Also where warm-up is off: a group may not name an indicator that is missing. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					readiness | 503 | ping warmup    | management.endpoint.health.group.readiness.include=ping management.endpoint.health.probes.enabled=false
					users     | 503 | warmup         | management.endpoint.health.group.users.include=warmup
					others    | 200 | ping           | management.endpoint.health.group.others.include=ping
					readiness | 200 | readinessState | management.endpoint.health.group.readiness.include=readinessState management.endpoint.health.group.readiness.exclude=warmup
					readiness | 200 | readinessState | management.endpoint.health.group.readiness.include=readinessState management.endpoint.health.group.readiness.exclude=warmup warmup.enabled=false
					""")
	void groupsOfTheApplicationAreKept(String group, int status, String components, String properties) {
		try (RunningApplication service = service(WebApplicationType.REACTIVE, properties.split(" "))) {
			assertThat(body(service.get("/actuator/health/" + group), status).at("/components").propertyNames())
				.containsExactlyInAnyOrder(components.split(" "));
		}
	}

	@ParameterizedTest
	@CsvSource({ "management.health.defaults.enabled=false, 503", "management.health.warmup.enabled=false, 200" })
	void readinessGroupThatIsNotConfiguredContainsTheIndicatorUnlessThatIsDisabled(String property, int status) {
		try (RunningApplication service = service(WebApplicationType.REACTIVE, property)) {
			assertThat(service.get(READINESS).statusCode()).isEqualTo(status);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void serviceIsReadyWhereWarmUpIsOff(WebApplicationType type) {
		try (RunningApplication service = service(type, "warmup.enabled=false",
				"management.endpoint.health.group.readiness.include=readinessState,warmup")) {
			assertThat(body(service.get(READINESS), 200).at("/components/warmup/status").asString()).isEqualTo("UP");
		}
	}

	@Test
	void applicationWithoutAWebServerStartsWithItsGroups() {
		SpringApplication application = new SpringApplication(RunningApplication.Plain.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run("--eureka.client.enabled=false",
				"--spring.cloud.gateway.server.webflux.enabled=false",
				"--management.endpoint.health.group.readiness.include=readinessState,warmup")) {
			assertThat(context.getBean(HealthContributorRegistry.class).getContributor("warmup"))
				.isInstanceOfSatisfying(HealthIndicator.class,
						(warmup) -> assertThat(warmup.health(false).getStatus()).isEqualTo(Status.UP));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Named.class, Indicator.class })
	void anIndicatorOfTheApplicationStays(Class<?> type) {
		try (RunningApplication service = RunningApplication.withoutRuns(type, WebApplicationType.REACTIVE,
				"management.endpoint.health.show-details=always")) {
			JsonNode own = body(service.get("/actuator/health"), 200).at("/components/warmup/details");
			assertThat(own.propertyNames()).containsExactly("own");
		}
	}

	@Test
	void gatewayIsReadyOnceItsGateIsOpen() {
		try (RunningApplication gateway = RunningApplication.gateway(RunningApplication.Plain.class,
				"management.endpoint.health.show-details=always")) {
			await(() -> gateway.get(READINESS).statusCode() == 200);
			JsonNode warmup = body(gateway.get("/actuator/health"), 200).at("/components/warmup");
			assertThat(warmup.at("/status").asString()).isEqualTo("UP");
			assertThat(warmup.at("/details").propertyNames()).containsExactlyInAnyOrder("gate", "phase");
		}
	}

	private static RunningApplication service(WebApplicationType type, String... properties) {
		return RunningApplication.withoutRuns(RunningApplication.Plain.class, type,
				Stream.concat(Stream.of("management.endpoint.health.show-details=always"), Stream.of(properties))
					.toArray(String[]::new));
	}

	private static JsonNode body(HttpResponse<String> answer, int status) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(answer.body());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Named {

		@Bean
		HealthIndicator warmup() {
			return () -> Health.up().withDetail("own", true).build();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Indicator {

		@Bean
		ReactiveHealthIndicator warmupHealthIndicator() {
			return () -> Mono.just(Health.up().withDetail("own", true).build());
		}

	}

}
