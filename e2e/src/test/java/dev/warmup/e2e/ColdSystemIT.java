package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promise 13: two services are started together at Eureka's default intervals, one calls
 * the other by a load-balanced client, and the gateway, which is there already, has
 * circuit breakers and retries. Users who come from the first second get no more errors
 * than without the library. What is started when follows the intervals of the registry's
 * caches: otherwise these decide, by half a minute each.
 */
@Tag("full")
@Isolated("its errors depend on when caches are filled")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ColdSystemIT {

	private static final List<String> PATHS = List.of("/orders/local", "/orders/with-inventory", "/inventory/stock");

	private static final int PER_SECOND = 4;

	/** Longer than all caches of the registry take, one after the other. */
	private static final Duration OBSERVED = Duration.ofSeconds(120);

	/** The interval at which Eureka's read-only cache is filled, by the wall clock. */
	private static final long INTERVAL_SECONDS = 30;

	/** So often a comparison is repeated whose registrations an interval separates. */
	private static final int REPEATS = 2;

	/** Of the users of three seconds: two starts never take exactly the same time. */
	private static final int TOLERANCE = 3 * PER_SECOND * PATHS.size();

	@Test
	void usersGetNoMoreErrorsThanWithoutTheLibrary() {
		Comparison comparison = compare();
		for (int i = 0; i < REPEATS && !comparison.isFair(); i++) {
			comparison = compare();
		}
		assertThat(comparison.isFair()).as("listed in the same interval: %s", comparison).isTrue();
		Start with = comparison.with();
		assertThat(with.statuses()).as("in the registry").doesNotContain("STARTING").contains("UP");
		assertThat(with.errors()).as("errors by second: %s", comparison)
			.isLessThanOrEqualTo(comparison.without().errors() + TOLERANCE);
		assertThat(with.errorsSince(with.begin().plus(OBSERVED).minusSeconds(15))).as(with.toString()).isZero();
	}

	/** At once, so that caches and the machine are the same for both. */
	private static Comparison compare() {
		try (Stack first = registry(true); Stack second = registry(false)) {
			awaitNextInterval();
			App firstGateway = gateway(first, true);
			App secondGateway = gateway(second, false);
			firstGateway.awaitUp(Stacks.SOON);
			secondGateway.awaitUp(Stacks.SOON);
			awaitNextInterval();
			CompletableFuture<Start> starting = CompletableFuture.supplyAsync(() -> start(first, firstGateway, true));
			Start without = start(second, secondGateway, false);
			return new Comparison(starting.join(), without);
		}
	}

	private static Stack registry(boolean library) {
		return Stacks.counted("cold-" + (library ? "with" : "without"), 1)
			.gateways(0)
			.services(0)
			.args(Stack.REGISTRY, "--eureka.server.use-read-only-response-cache=true",
					"--eureka.server.response-cache-auto-expiration-in-seconds=180")
			.start();
	}

	/**
	 * Without the cache of its load balancer, by which users of one system could wait 35
	 * s longer than those of the other.
	 */
	private static App gateway(Stack stack, boolean library) {
		return ServiceProcess.breakerGateway(stack, "--warmup.enabled=" + library,
				"--spring.cloud.loadbalancer.cache.enabled=false");
	}

	private static Start start(Stack stack, App gateway, boolean library) {
		List<Users> users = new ArrayList<>();
		try {
			Instant begin = Instant.now();
			PATHS.forEach((path) -> users.add(new Users(gateway.url(path), PER_SECOND, (answer) -> "")));
			String enabled = "--warmup.enabled=" + library;
			ServiceProcess.atDefaultIntervals(stack, ServiceProcess.ORDERS, enabled);
			ServiceProcess.atDefaultIntervals(stack, ServiceProcess.INVENTORY, enabled);
			Set<String> statuses = new LinkedHashSet<>();
			Instant listed = Instant.MAX;
			while (Duration.between(begin, Instant.now()).compareTo(OBSERVED) < 0) {
				App.sleep(Duration.ofMillis(200));
				Map<String, String> orders = Stacks.registered(stack, "ORDERS");
				Map<String, String> inventory = Stacks.registered(stack, "INVENTORY");
				if (listed.equals(Instant.MAX) && !orders.isEmpty() && !inventory.isEmpty()) {
					listed = Instant.now();
				}
				statuses.addAll(orders.values());
				statuses.addAll(inventory.values());
			}
			Map<String, List<Sample>> samples = new LinkedHashMap<>();
			users.forEach((each) -> each.finish()
				.forEach((sample) -> samples.computeIfAbsent(sample.request(), (path) -> new ArrayList<>())
					.add(sample)));
			return new Start(begin, listed, samples, statuses);
		}
		finally {
			users.forEach(Users::close);
		}
	}

	/** So that the registry's cache is filled equally long after each step. */
	private static void awaitNextInterval() {
		long second = Instant.now().getEpochSecond() % INTERVAL_SECONDS;
		App.sleep(Duration.ofSeconds(INTERVAL_SECONDS - second));
	}

	/** Two starts at the same time. */
	private record Comparison(Start with, Start without) {

		/** Whether the registry has listed the services of both in the same interval. */
		boolean isFair() {
			return Duration.between(this.with.listed(), this.without.listed())
				.abs()
				.compareTo(Duration.ofSeconds(INTERVAL_SECONDS / 2)) < 0;
		}

		@Override
		public String toString() {
			return "%nwith the library, listed at %s:%n%s%nwithout, at %s:%n%s".formatted(this.with.listed(), this.with,
					this.without.listed(), this.without);
		}

	}

	/**
	 * What users met.
	 *
	 * @param listed when the registry answered with both services
	 * @param samples the answers by path
	 * @param statuses those that the registry had for a service
	 */
	private record Start(Instant begin, Instant listed, Map<String, List<Sample>> samples, Set<String> statuses) {

		long errors() {
			return errorsSince(this.begin);
		}

		long errorsSince(Instant from) {
			return this.samples.values()
				.stream()
				.flatMap(List::stream)
				.filter((sample) -> !sample.expected() && !sample.start().isBefore(from))
				.count();
		}

		/** A line for each path: the errors of each second that had some. */
		@Override
		public String toString() {
			return this.samples.entrySet()
				.stream()
				.map((path) -> "%-24s%s%n".formatted(path.getKey(), path.getValue()
					.stream()
					.filter((sample) -> !sample.expected())
					.collect(Collectors.groupingBy((sample) -> Duration.between(this.begin, sample.start()).toSeconds(),
							TreeMap::new, Collectors.counting()))))
				.collect(Collectors.joining());
		}

	}

}
