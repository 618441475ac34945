package dev.warmup.e2e.adopter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promise 4: warm-up is pinned and proved. A servlet service with JPA and Spring
 * Security, and a reactive service, warm through a gateway that has circuit breakers,
 * limits and retries, found through a Eureka server.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
class AdopterIT {

	private static final int REPETITIONS = 10;

	private static final Duration SOON = Duration.ofSeconds(90);

	private static final String[] SIGNED_IN = { "Authorization",
			"Basic " + Base64.getEncoder().encodeToString("user:a-users-password".getBytes(StandardCharsets.UTF_8)) };

	private static RunningApplication registry;

	private static RunningApplication gateway;

	private static RunningApplication accounts;

	private static RunningApplication quotes;

	private static RunningApplication phantom;

	private static Map<String, Integer> spentByWarmup;

	private static int buffered;

	@BeforeAll
	static void warm() {
		registry = RunningApplication.registry();
		// a first GET may be slow
		String limit = "breaker.limit=30s";
		gateway = RunningApplication.gateway(Applications.Gateway.class,
				client("gateway-1", Stream.concat(Applications.Gateway.PROPERTIES.stream(), Stream.of(limit))));
		accounts = RunningApplication.servletService(AccountsService.class,
				service("accounts", "spring.security.user.name=user", "spring.security.user.password=a-users-password",
						"spring.datasource.url=jdbc:h2:mem:accounts", "spring.datasource.hikari.pool-name=main",
						"spring.jpa.open-in-view=false"));
		quotes = RunningApplication.reactiveService(Applications.Quotes.class, service("quotes"));
		phantom = RunningApplication.reactiveService(Applications.Quotes.class,
				service("phantom", "warmup.startup.deadline=10s"));
		for (RunningApplication service : new RunningApplication[] { accounts, quotes, phantom }) {
			Awaitility.await().atMost(SOON).until(() -> service.get("/.warmup/ready").status() == 200);
		}
		spentByWarmup = gateway.bean(Applications.Permits.class).spent();
		buffered = buffered("accounts") + buffered("quotes");
	}

	private static String[] service(String name, String... properties) {
		return client(name + "-1",
				Stream.concat(Stream.of("spring.application.name=" + name,
						"warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml",
						"warmup.startup.min-repetitions=" + REPETITIONS, "warmup.startup.budget=60s",
						"warmup.steady.tolerance=1000", "warmup.steady.window=5"), Stream.of(properties)));
	}

	private static String[] client(String instanceId, Stream<String> properties) {
		return Stream
			.concat(Stream.of("eureka.client.jersey.enabled=false", "spring.cloud.loadbalancer.cache.enabled=false",
					"eureka.client.service-url.defaultZone=" + registry.address() + "/eureka/",
					"eureka.instance.instance-id=" + instanceId, "eureka.instance.hostname=localhost",
					"eureka.client.registry-fetch-interval-seconds=3",
					"eureka.client.initial-instance-info-replication-interval-seconds=0"), properties)
			.toArray(String[]::new);
	}

	@AfterAll
	static void stop() {
		// at once: each of Eureka's clients takes three seconds
		CompletableFuture
			.allOf(Stream.of(phantom, quotes, accounts, gateway)
				.map((each) -> CompletableFuture.runAsync(each::close))
				.toArray(CompletableFuture[]::new))
			.join();
		registry.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "accounts", "quotes" })
	void serviceIsWarmedThroughTheGateway(String name) {
		Awaitility.await().atMost(SOON).until(() -> status(name).at("/runs/0/verdict").asString(), "WARM"::equals);
		JsonNode status = status(name);
		JsonNode run = status.at("/runs/0");
		assertThat(status.path("gate").asString()).isEqualTo("OPEN");
		assertThat(status.path("instanceId").asString()).isEqualTo(name + "-1");
		assertThat(run.path("verdict").asString()).isEqualTo("WARM");
		assertThat(run.path("gateways").toString()).contains("gateway-1");
		assertThat(run.path("sent").asLong()).isGreaterThanOrEqualTo(REPETITIONS);
		assertThat(run.path("failed").asLong()).isZero();
		Awaitility.await().atMost(SOON).until(() -> registered(name), "UP"::equals);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(gateway.json("/actuator/warmup").path("fleet").valueStream())
				.filteredOn((entry) -> entry.path("service").asString().equals(name))
				.singleElement()
				.satisfies((entry) -> assertThat(entry.path("phase").asString()).isEqualTo("WARM")));
	}

	/** Asked of the server, since clients know it later. */
	private static String registered(String name) {
		return registry
			.json("/eureka/apps/%s/%s-1".formatted(name.toUpperCase(Locale.ROOT), name), "Accept", "application/json")
			.at("/instance/status")
			.asString();
	}

	private static JsonNode status(String name) {
		return name.equals("accounts") ? accounts.json("/actuator/warmup", SIGNED_IN) : quotes.json("/actuator/warmup");
	}

	/**
	 * But for the first GET of each route in a run, with which their classes load.
	 */
	@Test
	void warmUpBypassesCircuitBreakersAndLimitersThatUsersMeet() {
		assertThat(spentByWarmup.getOrDefault(Applications.Gateway.ANONYMOUS, 0)).isLessThan(REPETITIONS);
		assertThat(buffered).isLessThan(REPETITIONS);
		int before = buffered("quotes");
		assertThat(gateway.get("/quotes/quotes/EUR", Applications.Gateway.USER, "ann").status()).isEqualTo(200);
		assertThat(gateway.bean(Applications.Permits.class).spent()).containsEntry("ann", 1);
		assertThat(buffered("quotes")).isEqualTo(before + 1);
	}

	private static int buffered(String breaker) {
		return gateway.bean(CircuitBreakerRegistry.class)
			.circuitBreaker(breaker)
			.getMetrics()
			.getNumberOfBufferedCalls();
	}

	@Test
	void answersOfAFallbackMakeNoInstanceWarmAndItsGateOpensAllTheSame() {
		JsonNode status = phantom.json("/actuator/warmup");
		assertThat(status.path("gate").asString()).isEqualTo("OPEN");
		assertThat(status.path("phase").asString()).isNotEqualTo("WARM");
		assertThat(status.path("runs").valueStream()).noneMatch((run) -> run.path("verdict").asString().equals("WARM"));
		assertThat(gateway.get("/phantom/quotes/EUR").body()).isEqualTo("fallback");
	}

	@Test
	void warmUpOpensThePoolAndLeavesNothingInTheDatabase() {
		AccountsService.Accounts rows = accounts.bean(AccountsService.Accounts.class);
		Awaitility.await().atMost(SOON).until(() -> rows.count() == 0); // a repetition
																		// may be under
																		// way
		assertThat(accounts.bean(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections()).isPositive();
	}

	@Test
	void anotherInstancesClaimIsRejectedBeforeAuthentication() {
		String claim = "instance=accounts-2; token=" + "A".repeat(43);
		assertThat(accounts.get("/mine", "X-Warmup", claim).status()).isEqualTo(421);
		assertThat(gateway.get("/accounts/mine", "X-Warmup", claim).status()).isEqualTo(401);
	}

	@Test
	void securityAppliesToUsersAsBeforeAndNotToTheProbe() {
		assertThat(accounts.get("/.warmup/ready").status()).isEqualTo(200);
		assertThat(accounts.get("/actuator/warmup").status()).isEqualTo(401);
		assertThat(gateway.get("/accounts/mine").status()).isEqualTo(401);
		assertThat(gateway.get("/accounts/mine", SIGNED_IN).status()).isEqualTo(200);
		assertThat(gateway.send("POST", "/accounts/mine", SIGNED_IN).status()).isEqualTo(403);
	}

}
