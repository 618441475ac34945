package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promises 9 and 10 with a registry that hangs, is away, comes back empty, is slow, or
 * contradicts its peer.
 */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
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

	/** Longer than a lease, a fetch, and the gateway's look at an instance. */
	private static final Duration AWAY = Duration.ofSeconds(45);

	@Test
	void registryHangsDuringARunThenDiesAndComesBackEmpty() {
		try (Stack stack = start(Stacks.counted("registry-dies", 5)); Traffic users = Traffic.of(stack)) {
			App newcomer = stack.addService();
			Stacks.awaitWarming(stack.gateway(), newcomer);
			stack.registry().pause();
			newcomer.awaitReady(Stacks.SOON);
			users.awaitReaches(Marks.NONE);
			stack.registry().resume();
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.registered(stack)).hasSize(2)
					.containsOnlyKeys(Stacks.id(stack.service()), Stacks.id(newcomer))
					.doesNotContainValue("STARTING"));
			stack.registry().kill();
			List<Sample> away = users.during(AWAY);
			assertThat(away).allMatch(Sample::expected);
			assertThat(away).filteredOn((sample) -> sample.instance().equals(Marks.NONE))
				.as("users of the newcomer")
				.hasSizeGreaterThan(away.size() / 4);
			stack.registry().restart();
			// only while it is empty
			users.errorsUntil(() -> Stacks.registered(stack).values().stream().filter("UP"::equals).count() == 2);
		}
	}

	@Test
	void lagOfTheRegistryDelaysNeitherWarmUpNorUsersBesideOthers() {
		Stack.Builder builder = Stacks.counted("registry-lag", 5);
		try (Stack stack = start(builder.prefix(DEFAULT_INTERVALS)); Traffic users = Traffic.of(stack)) {
			App newcomer = stack.addService().awaitUp(Stacks.SOON);
			Instant up = Instant.now();
			Stacks.awaitWarming(stack.gateway(), newcomer);
			assertThat(Duration.between(up, Instant.now())).isLessThan(WITHOUT_LAG);
			newcomer.awaitReady(Stacks.SOON);
			Instant open = Instant.now();
			users.awaitReaches(Marks.NONE);
			assertThat(users.since(up)).filteredOn((sample) -> sample.instance().equals(Marks.NONE))
				.first()
				.satisfies((sample) -> assertThat(sample.end()).isBefore(open.plus(WITHOUT_LAG)));
			users.during(AWAY); // the next fetch takes nobody away
			assertThat(users.reaches(Marks.NONE)).isTrue();
		}
	}

	/**
	 * With Eureka's default lease: clients of the registry that hangs send no heartbeat
	 * for longer than the example's 30 s, so that the other one would expire them.
	 */
	@Test
	void peersThatDisagreeDelayNoUser() {
		try (Stack stack = start(
				Stacks.counted("registry-peers", 5, "--eureka.instance.lease-expiration-duration-in-seconds=90")
					.registries(2));
				Traffic users = Traffic.of(stack)) {
			App second = stack.registries().get(1);
			second.pause();
			stack.addService("--eureka.client.service-url.defaultZone=" + stack.registry().url("/eureka/"))
				.awaitReady(Stacks.SOON);
			second.resume();
			users.awaitReaches(Marks.NONE);
			users.during(Duration.ofSeconds(15));
			assertThat(users.reaches(Marks.NONE)).isTrue();
		}
	}

	@Test
	void serviceAndGatewayJoinARegistryThatComesLater() {
		try (Stack stack = Stacks.counted("registry-late", 5, "--warmup.startup.deadline=30s")
			.gateways(0)
			.services(0)
			.start()) {
			stack.registry().stop();
			stack.addGateway();
			App service = stack.addService().awaitUp(Stacks.SOON);
			service.awaitReady(Duration.ofSeconds(90)); // at the deadline
			stack.registry().restart();
			await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(Stacks.registered(stack)).containsValue("UP"));
			Stacks.awaitPhase(service, "WARM");
			stack.gateway().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(stack);
		}
	}

	private static Stack start(Stack.Builder builder) {
		Stack stack = Stacks.warm(builder);
		Marks.put(stack.service());
		return stack;
	}

}
