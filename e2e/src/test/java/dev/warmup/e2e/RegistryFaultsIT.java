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

/** A registry that hangs, is away, comes back empty, is slow, or contradicts its peer. */
@Tag("faults")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RegistryFaultsIT {

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
	void hangingRegistryStopsNoRun() {
		try (Stack stack = start(Stacks.counted("registry-hangs", 20, "60s"))) {
			App newcomer = stack.addService();
			try (Fault fault = Fault.of("the registry answers nothing during a run", stack)) {
				Stacks.awaitRunBegin(stack);
				stack.registry().pause();
				fault.begins();
				fault.recovers(() -> newcomer.get(Stacks.READY).status() == 200);
				fault.verdictOf(newcomer);
				stack.registry().resume();
				await().atMost(Stacks.SOON).until(() -> bringsUsers(fault));
				fault.noErrors();
			}
			finally {
				stack.registry().resume();
			}
		}
	}

	@Test
	void instanceStaysWhileTheRegistryIsAwayForMinutes() {
		try (Stack stack = start(Stacks.counted("registry-minutes-away", 20, "60s"))) {
			App newcomer = stack.addService().awaitReady(Stacks.SOON);
			try (Fault fault = Fault.of("the registry is away for five minutes after a report", stack)) {
				stack.registry().kill();
				fault.begins();
				await().atMost(Stacks.SOON).until(() -> bringsUsers(fault));
				List<Sample> away = fault.users().during(Duration.ofMinutes(5));
				assertThat(away).filteredOn((sample) -> sample.instance().equals(Marks.NONE))
					.as("users of the newcomer")
					.hasSizeGreaterThan(away.size() / 4);
				assertThat(away).allMatch(Sample::expected);
				Instant back = Instant.now();
				stack.registry().restart();
				stack.registry().awaitUp(Stacks.SOON);
				fault.recovers(() -> Stacks.registered(stack).size() == 2
						&& fault.users().during(Duration.ofSeconds(3)).stream().allMatch(Sample::expected));
				fault.verdictOf(newcomer);
				// only where the registry came back empty
				fault.errorsBetween(back, Instant.now());
			}
		}
	}

	@Test
	void slowFetchesOfTheRegistryDelayNoUser() {
		Stack.Builder builder = Stacks.counted("registry-slow", 20, "60s")
			.args(Stack.GATEWAY, "--eureka.client.registry-fetch-interval-seconds=120");
		try (Stack stack = start(builder);
				Fault fault = Fault.of("gateways fetch the registry every 120 s", stack).begins()) {
			App newcomer = stack.addService().awaitReady(Stacks.SOON);
			fault.recovers(() -> bringsUsers(fault));
			fault.verdictOf(newcomer);
			fault.users().during(Duration.ofSeconds(130));
			assertThat(bringsUsers(fault)).isTrue();
			fault.noErrors();
		}
	}

	/**
	 * With Eureka's default lease: clients of the registry that hangs send no heartbeat
	 * for longer than the example's 30 s, so that the other one would expire them.
	 */
	@Test
	void peersThatDisagreeDelayNoUser() {
		try (Stack stack = start(
				Stacks.counted("registry-peers", 20, "60s", "--eureka.instance.lease-expiration-duration-in-seconds=90")
					.registries(2))) {
			App second = stack.registries().get(1);
			try (Fault fault = Fault.of("two registries, of which one hangs while an instance joins", stack)) {
				second.pause();
				fault.begins();
				App newcomer = stack
					.addService("--eureka.client.service-url.defaultZone=" + stack.registry().url("/eureka/"))
					.awaitReady(Stacks.SOON);
				second.resume();
				fault.recovers(() -> bringsUsers(fault));
				fault.verdictOf(newcomer);
				fault.users().during(Duration.ofSeconds(20));
				assertThat(bringsUsers(fault)).isTrue();
				fault.noErrors();
			}
			finally {
				second.resume();
			}
		}
	}

	@Test
	void emptyRegistryIsFilledAgain() {
		try (Stack stack = start(Stacks.counted("registry-empty", 20, "60s"))) {
			try (Fault fault = Fault.of("the registry is restarted, and comes back empty", stack)) {
				fault.begins();
				stack.registry().restart();
				stack.registry().awaitUp(Stacks.SOON);
				fault.recovers(() -> Stacks.registered(stack).containsValue("UP")
						&& fault.users().during(Duration.ofSeconds(3)).stream().allMatch(Sample::expected));
				fault.verdict("registered again by the next heartbeat");
				fault.errorsFor(fault.recovery());
			}
		}
	}

	@Test
	@Tag("full")
	void lagOfTheRegistryDelaysNeitherWarmUpNorUsers() {
		Stack.Builder builder = Stacks.counted("registry-lag", 20, "150s");
		try (Stack stack = Stacks.warm(builder.prefix(DEFAULT_INTERVALS))) {
			Marks.put(stack.service());
			try (Users users = new Users(stack.gateway().url(Stacks.ROOMS), 20,
					(answer) -> Marks.find(answer.body()))) {
				App newcomer = stack.addService().awaitReady(Stacks.SOON);
				await().atMost(Stacks.SOON)
					.until(() -> users.since(newcomer.started()).stream().anyMatch(RegistryFaultsIT::byNewcomer));
				Answer status = newcomer.get(Stacks.WARMUP);
				Map<String, Object> run = status.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP')]")
					.get(0);
				assertThat(Duration.parse((String) run.get("waited"))).isLessThan(WITHOUT_LAG);
				List<Sample> samples = users.finish();
				assertThat(samples).allMatch(Sample::expected);
				Instant firstUser = samples.stream()
					.filter(RegistryFaultsIT::byNewcomer)
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
	@Tag("full")
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

	private static Stack start(Stack.Builder builder) {
		Stack stack = Stacks.warm(builder);
		Marks.put(stack.service());
		return stack;
	}

	/** Of three seconds of users, some were answered by an instance that has no mark. */
	private static boolean bringsUsers(Fault fault) {
		return fault.users()
			.during(Duration.ofSeconds(3))
			.stream()
			.anyMatch((sample) -> sample.expected() && sample.instance().equals(Marks.NONE));
	}

}
