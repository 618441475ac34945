package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A registry that is slow or away neither delays warm-up nor stops it for good. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RegistryIT {

	/** Eureka's and the load balancer's defaults, which the example stack shortens. */
	private static final String[] DEFAULT_INTERVALS = { "env", "EUREKA_CLIENT_REGISTRY_FETCH_INTERVAL_SECONDS=30",
			"EUREKA_CLIENT_INSTANCE_INFO_REPLICATION_INTERVAL_SECONDS=30",
			"EUREKA_INSTANCE_LEASE_RENEWAL_INTERVAL_IN_SECONDS=30",
			"EUREKA_INSTANCE_LEASE_EXPIRATION_DURATION_IN_SECONDS=90",
			"EUREKA_SERVER_USE_READ_ONLY_RESPONSE_CACHE=true", "EUREKA_SERVER_RESPONSE_CACHE_UPDATE_INTERVAL_MS=30000",
			"SPRING_CLOUD_LOADBALANCER_CACHE_TTL=35s" };

	/** Well below one of these intervals, and well above what a slow machine needs. */
	private static final Duration WITHOUT_LAG = Duration.ofSeconds(10);

	@Test
	void lagOfTheRegistryDelaysNeitherWarmUpNorUsers() {
		Stack.Builder builder = Stacks.counted("registry-lag", 20, "150s");
		try (Stack stack = Stacks.warm(builder.prefix(DEFAULT_INTERVALS))) {
			Marks.put(stack.service());
			try (Users users = new Users(stack.gateway().url(Stacks.ROOMS), 20,
					(answer) -> Marks.find(answer.body()))) {
				App newcomer = stack.addService().awaitReady(Stacks.SOON);
				await().atMost(Stacks.SOON)
					.until(() -> users.since(newcomer.started()).stream().anyMatch(RegistryIT::byNewcomer));
				Answer status = newcomer.get(Stacks.WARMUP);
				Map<String, Object> run = status.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP')]")
					.get(0);
				assertThat(Duration.parse((String) run.get("waited"))).isLessThan(WITHOUT_LAG);
				List<Sample> samples = users.finish();
				assertThat(samples).allMatch(Sample::expected);
				Instant firstUser = samples.stream()
					.filter(RegistryIT::byNewcomer)
					.findFirst()
					.map(Sample::end)
					.orElseThrow();
				assertThat(Duration.between(Instant.parse(status.read("$.since")), firstUser)).isBetween(Duration.ZERO,
						WITHOUT_LAG);
			}
		}
	}

	private static boolean byNewcomer(Sample sample) {
		return sample.instance().equals(Marks.NONE);
	}

	@Test
	void serviceJoinsARegistryThatComesLaterOrReturnsEmpty() {
		try (Stack stack = Stacks.counted("registry-away", 30, "20s").gateways(0).services(0).start()) {
			stack.registry().stop();
			stack.addGateway();
			App service = stack.addService().awaitUp(Stacks.SOON);
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.verdicts(service, "STARTUP")).contains("FAILED"));
			assertThat(service.get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("OPEN");
			stack.registry().restart();
			await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(Stacks.registered(stack)).containsValue("UP"));
			// 20 s may be too short for all
			Stacks.awaitPhase(service, "WARM", "DEGRADED");
			Stacks.awaitUsers(stack);

			App second = stack.addService().awaitUp(Stacks.SOON);
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.registered(stack)).hasSize(2).containsValue("STARTING"));
			stack.registry().kill();
			Stacks.awaitVerdict(second);
			stack.registry().restart();
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.registered(stack).values()).containsExactly("UP", "UP"));
			Stacks.awaitUsers(stack);
		}
	}

}
