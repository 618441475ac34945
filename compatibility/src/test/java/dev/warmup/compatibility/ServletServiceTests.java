package dev.warmup.compatibility;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.protocol.WarmupToken;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A servlet service with JPA and Spring Security warms through a real gateway that has
 * circuit breakers, limits and retries, found by way of a real Eureka server.
 */
class ServletServiceTests {

	private static final int REPETITIONS = 10;

	private static final String ID = "accounts-1";

	private static final String[] SIGNED_IN = { "Authorization",
			"Basic " + Base64.getEncoder().encodeToString("user:a-users-password".getBytes(StandardCharsets.UTF_8)) };

	private static RunningApplication registry;

	private static RunningApplication gateway;

	private static RunningApplication service;

	private static JsonNode status;

	private static Map<String, Integer> spent;

	private static int buffered;

	@BeforeAll
	static void warm() {
		registry = RunningApplication.registry(Registry.class, "warmup.enabled=false",
				"spring.application.name=registry", "eureka.client.register-with-eureka=false",
				"eureka.client.fetch-registry=false", "eureka.server.wait-time-in-ms-when-sync-empty=0",
				"eureka.server.use-read-only-response-cache=false");
		gateway = RunningApplication.gateway(SharingGateway.class,
				Stream
					.of(SharingGateway.PROPERTIES.stream(), SharingGateway.route(0, "accounts"), client("gateway-1"),
							Stream.of("spring.cloud.loadbalancer.eager-load.clients=accounts"))
					.flatMap((part) -> part)
					.toArray(String[]::new));
		service = RunningApplication.service(AccountsService.class,
				Stream
					.concat(client(ID),
							Stream.of("spring.application.name=accounts", "spring.security.user.name=user",
									"spring.security.user.password=a-users-password",
									"spring.datasource.url=jdbc:h2:mem:accounts", "spring.jpa.open-in-view=false",
									"warmup.catalog=classpath:dev/warmup/compatibility/accounts.yml",
									"warmup.startup.min-repetitions=" + REPETITIONS, "warmup.steady.tolerance=1000",
									"warmup.steady.max-spread=1000", "warmup.steady.window=5",
									"warmup.steady.max-jit=1000", "warmup.steady.max-classes=1000000"))
					.toArray(String[]::new));
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.until(() -> service.get("/.warmup/ready").statusCode() == 200);
		status = service.json("/actuator/warmup", SIGNED_IN);
		spent = gateway.bean(Permits.class).spent();
		buffered = gateway.bean(CircuitBreakerRegistry.class)
			.circuitBreaker("accounts")
			.getMetrics()
			.getNumberOfBufferedCalls();
	}

	private static Stream<String> client(String instanceId) {
		return Stream.of("eureka.client.jersey.enabled=false",
				"eureka.client.service-url.defaultZone=" + registry.address() + "/eureka/",
				"eureka.instance.instance-id=" + instanceId, "eureka.instance.hostname=localhost",
				"eureka.client.registry-fetch-interval-seconds=3",
				"eureka.client.initial-instance-info-replication-interval-seconds=0");
	}

	@AfterAll
	static void stop() {
		service.close();
		gateway.close();
		registry.close();
	}

	@Test
	void serviceIsWarmedThroughTheGateway() {
		JsonNode run = status.at("/runs/0");
		assertThat(status.path("phase").asString()).as(run.toPrettyString()).isEqualTo("WARM");
		assertThat(status.path("gate").asString()).isEqualTo("OPEN");
		assertThat(status.path("instanceId").asString()).isEqualTo(ID);
		assertThat(run.path("verdict").asString()).isEqualTo("WARM");
		assertThat(run.path("gateway").asString()).isEqualTo("gateway-1");
		assertThat(run.path("sent").asLong()).isGreaterThanOrEqualTo(4 * REPETITIONS);
		assertThat(run.path("failed").asLong()).isZero();
		assertThat(gateway.json("/actuator/warmup").at("/fleet/0/phase").asString()).isEqualTo("WARM");
		assertThat(gateway.json("/actuator/warmup").at("/fleet/0/routes/0/requests").asLong())
			.isGreaterThanOrEqualTo(4 * REPETITIONS);
	}

	@Test
	void warmupLeavesNothingBehindAndUsedNothingOfUsers() {
		assertThat(service.bean(Accounts.class).count()).isZero();
		assertThat(service.bean(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections()).isPositive();
		assertThat(spent).doesNotContainKey("somebody");
		assertThat(buffered).isZero();
	}

	@Test
	void registryShowsTheInstanceAsUp() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> registry.json("/eureka/apps/ACCOUNTS/" + ID, "Accept", "application/json")
				.at("/instance/status")
				.asString(), "UP"::equals);
	}

	@Test
	void instanceProvesItselfAheadOfSecurity() {
		HttpResponse<String> answer = service.get("/mine", "X-Warmup", claim(service.bean(WarmupToken.class).value()));
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.headers().firstValue("X-Warmup-Instance")).hasValue(ID);
		assertThat(service.get("/mine").headers().map()).doesNotContainKey("x-warmup-instance");
	}

	@Test
	void anothersTokenIsTurnedAwayAheadOfSecurity() {
		String anothers = WarmupToken.random().value();
		assertThat(service.get("/mine", "X-Warmup", claim(anothers)).statusCode()).isEqualTo(421);
		String[] signedIn = Stream.concat(Arrays.stream(SIGNED_IN), Stream.of("X-Warmup", claim(anothers)))
			.toArray(String[]::new);
		assertThat(service.get("/mine", signedIn).statusCode()).isEqualTo(421);
	}

	@Test
	void probeNeedsNoCredentials() {
		assertThat(service.get("/.warmup/ready").statusCode()).isEqualTo(200);
		assertThat(service.get("/actuator/warmup").statusCode()).isEqualTo(401);
	}

	@Test
	void usersMeetSecurityAsBefore() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> gateway.get("/accounts/mine", SIGNED_IN).statusCode() == 200);
		assertThat(gateway.get("/accounts/mine").statusCode()).isEqualTo(401);
		assertThat(gateway.send("POST", "/accounts/mine", SIGNED_IN).statusCode()).isEqualTo(403);
	}

	private static String claim(String token) {
		return "instance=" + ID + "; token=" + token + "; run=by-hand";
	}

}
