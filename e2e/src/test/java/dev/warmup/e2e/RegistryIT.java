package dev.warmup.e2e;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.load.SteadyClient;
import dev.warmup.bench.scenario.Marks;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a slow registry, or one that is away, does to warm-up: little, and never in
 * silence.
 */
class RegistryIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	private static final String WARMUP = "/actuator/warmup";

	/**
	 * Eureka's and the load balancer's own defaults, which the example stack shortens.
	 */
	private static final Map<String, String> DEFAULT_INTERVALS = Map.ofEntries(
			Map.entry("EUREKA_CLIENT_REGISTRY_FETCH_INTERVAL_SECONDS", "30"),
			Map.entry("EUREKA_CLIENT_INSTANCE_INFO_REPLICATION_INTERVAL_SECONDS", "30"),
			Map.entry("EUREKA_INSTANCE_LEASE_RENEWAL_INTERVAL_IN_SECONDS", "30"),
			Map.entry("EUREKA_INSTANCE_LEASE_EXPIRATION_DURATION_IN_SECONDS", "90"),
			Map.entry("EUREKA_SERVER_USE_READ_ONLY_RESPONSE_CACHE", "true"),
			Map.entry("EUREKA_SERVER_RESPONSE_CACHE_UPDATE_INTERVAL_MS", "30000"),
			Map.entry("SPRING_CLOUD_LOADBALANCER_CACHE_TTL", "35s"), Map.entry("WARMUP_STARTUP_MIN_REPETITIONS", "20"),
			Map.entry("WARMUP_STARTUP_BUDGET", "150s"));

	@Test
	void itsLagPlaysNoPart() {
		try (Stack stack = Stacks.named("registry-lag", DEFAULT_INTERVALS)) {
			up(stack);
			Marks.put(stack, "chat-service-1");
			try (SteadyClient users = SteadyClient.start(stack.gateway("/chat-service/rooms"), Marks::find)) {
				Outcome scale = stack.run("scale", "2");
				assertThat(scale.exitCode()).as(scale.output()).isZero();
				Answer status = Answer.to("GET", stack.direct("chat-service-2", WARMUP));
				Map<String, Object> run = status.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP')]")
					.get(0);
				Duration firstAnswer = Duration.parse((String) run.get("waited"))
					.plus(Duration.parse((String) run.get("first")));
				Figures.tell("Eureka's default intervals: first verified warm-up answer %.2f s after ready",
						firstAnswer.toMillis() / 1e3);
				assertThat(firstAnswer).isLessThan(Duration.ofSeconds(5));

				Instant opened = Instant.parse(status.read("$.since"));
				await().atMost(SOON).until(() -> firstAtNewcomer(users).isPresent());
				Duration lag = Duration.between(opened, firstAtNewcomer(users).orElseThrow().answered());
				Figures.tell("Eureka's default intervals: first user at the new instance %.2f s after its report",
						lag.toMillis() / 1e3);
				assertThat(lag).isBetween(Duration.ZERO, Duration.ofSeconds(2));
				users.finish();
				assertThat(users.samples()).noneMatch(SteadyClient.Sample::isError);
			}
		}
	}

	@Test
	void oneThatIsAwayAtTheStartIsJoinedLater() {
		try (Stack stack = Stacks.named("registry-late",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "5", "WARMUP_STARTUP_BUDGET", "20s"))) {
			stack.run("up", "--detach", "--without", "eureka-server");
			String warmup = stack.direct("chat-service-1", WARMUP);
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(Answer.to("GET", warmup).<List<String>>read("$.runs[*].verdict"))
					.contains("FAILED"));
			assertThat(Answer.to("GET", warmup).<String>read("$.gate")).isEqualTo("OPEN");

			Outcome eureka = stack.run("restart", "eureka-server");
			assertThat(eureka.exitCode()).as(eureka.output()).isZero();
			await().atMost(SOON).untilAsserted(() -> assertThat(Eureka.chatServices(stack)).containsValue("UP"));
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(Answer.to("GET", warmup).<String>read("$.phase")).isEqualTo("WARM"));
			await().atMost(SOON).until(() -> stack.get("/chat-service/rooms").status() == 200);
		}
	}

	@Test
	void oneThatRestartsEmptyInTheMiddleOfARunIsToldAnew() {
		try (Stack stack = Stacks.named("registry-lost",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "150", "WARMUP_STARTUP_BUDGET", "100s"))) {
			Path output = stack.outputOf("up-in-background");
			Process up = stack.start(output, "up", "--detach");
			StartupRun.awaitBegin(stack);
			assertThat(Eureka.chatServices(stack)).hasSize(1).containsValue("STARTING");
			ProcessHandle.of(stack.status().get("eureka-server").pid()).ifPresent(ProcessHandle::destroyForcibly);
			await().atMost(SOON).until(() -> !up.isAlive());
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(Answer.to("GET", stack.direct("chat-service-1", WARMUP))
					.<List<String>>read("$.runs[*].verdict")).isNotEmpty());

			Outcome eureka = stack.run("restart", "eureka-server");
			assertThat(eureka.exitCode()).as(eureka.output()).isZero();
			await().atMost(SOON).untilAsserted(() -> assertThat(Eureka.chatServices(stack)).containsValue("UP"));
			await().atMost(SOON).until(() -> stack.get("/chat-service/rooms").status() == 200);
		}
	}

	private static void up(Stack stack) {
		Outcome up = stack.run("up", "--detach");
		assertThat(up.exitCode()).as(up.output()).isZero();
	}

	private static Optional<SteadyClient.Sample> firstAtNewcomer(SteadyClient users) {
		return users.samples()
			.stream()
			.filter((sample) -> !sample.isError() && sample.by().equals(Marks.NONE))
			.findFirst();
	}

}
