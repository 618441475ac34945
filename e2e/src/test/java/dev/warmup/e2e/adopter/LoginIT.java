package dev.warmup.e2e.adopter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Runs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warm-up that logs in by client credentials at Spring Authorization Server, with tokens
 * of 30 s, at a reactive and a servlet service: after the token has expired, too.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
class LoginIT {

	private static final Duration SOON = Duration.ofSeconds(90);

	private static RunningApplication registry;

	private static RunningApplication tokens;

	private static RunningApplication gateway;

	private static Map<String, RunningApplication> services = Map.of();

	@BeforeAll
	static void start() {
		registry = RunningApplication.registry();
		String client = "spring.security.oauth2.authorizationserver.client.warmup.";
		tokens = RunningApplication.authorizationServer(Application.class, "eureka.client.enabled=false",
				"warmup.enabled=false", client + "registration.client-id=orders",
				client + "registration.client-secret={noop}a-secret",
				client + "registration.client-authentication-methods=client_secret_basic",
				client + "registration.authorization-grant-types=client_credentials",
				client + "token.access-token-time-to-live=30s");
		gateway = RunningApplication.gateway(Application.class,
				registry.client("gateway", "spring.cloud.gateway.server.webflux.discovery.locator.enabled=true",
						"spring.cloud.gateway.server.webflux.discovery.locator.lower-case-service-id=true"));
		services = Map.of("servlet",
				RunningApplication.resourceServer(ResourceServers.Servlet.class, WebApplicationType.SERVLET,
						service("servlet")),
				"reactive", RunningApplication.resourceServer(ResourceServers.Reactive.class,
						WebApplicationType.REACTIVE, service("reactive")));
	}

	/** A run takes three seconds at least: an idle one begins after the token's end. */
	private static String[] service(String name) {
		return registry.client(name, "warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml",
				"warmup.startup.budget=60s", "warmup.steady.tolerance=1000", "warmup.steady.window=5",
				"warmup.idle.after=28s", "warmup.idle.jitter=0", "keys=" + tokens.address() + "/oauth2/jwks",
				"spring.security.oauth2.client.provider.tokens.token-uri=" + tokens.address() + "/oauth2/token",
				"spring.security.oauth2.client.registration.warmup.provider=tokens",
				"spring.security.oauth2.client.registration.warmup.client-id=orders",
				"spring.security.oauth2.client.registration.warmup.client-secret=a-secret",
				"spring.security.oauth2.client.registration.warmup.authorization-grant-type=client_credentials");
	}

	@AfterAll
	static void stop() {
		// at once: each of Eureka's clients takes three seconds
		CompletableFuture
			.allOf(Stream.concat(services.values().stream(), Stream.of(gateway, tokens))
				.map((each) -> CompletableFuture.runAsync(each::close))
				.toArray(CompletableFuture[]::new))
			.join();
		registry.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "reactive", "servlet" })
	void anIdleRunAfterTheTokenHasExpiredIsWarm(String name) {
		RunningApplication service = services.get(name);
		RunRecord startup = await(service, Trigger.STARTUP);
		assertThat(startup.verdict()).as(startup.toString()).hasValue(Verdict.WARM);
		assertThat(startup.failed()).isZero();
		String first = service.bean(ResourceServers.Tokens.class).seen().get(0);
		RunRecord idle = await(service, Trigger.IDLE);
		assertThat(idle.verdict()).as(idle.toString()).hasValue(Verdict.WARM);
		assertThat(idle.failed()).isZero();
		List<String> seen = service.bean(ResourceServers.Tokens.class).seen();
		assertThat(status(name, first)).as("the first token").isEqualTo(401);
		assertThat(status(name, seen.get(seen.size() - 1))).as("the last token").isEqualTo(200);
	}

	private static RunRecord await(RunningApplication service, Trigger trigger) {
		Runs runs = service.bean(Runs.class);
		Awaitility.await().atMost(SOON).until(() -> runs.last().stream().anyMatch((run) -> run.trigger() == trigger));
		return runs.last().stream().filter((run) -> run.trigger() == trigger).findFirst().orElseThrow();
	}

	private static int status(String name, String token) {
		return gateway.get("/" + name + "/secret", "Authorization", token).status();
	}

	/** A gateway, or a server that issues tokens. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
