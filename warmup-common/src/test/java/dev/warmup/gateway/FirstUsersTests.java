package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.protocol.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The first users over each route, as a fleet measures them. */
@Timeout(60)
class FirstUsersTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final Fleet fleet = new Fleet(new MutableClock());

	private final List<FirstUserLatency> results = new ArrayList<>();

	private final List<String> firsts = new ArrayList<>();

	private final List<GatewayListener> listeners = List.of(new GatewayListener() {

		@Override
		public synchronized void onFirstUserRequest(Instance instance, String route, Duration latency,
				BaselineLatency baseline) {
			FirstUsersTests.this.firsts.add(route + " " + latency.toMillis());
		}

		@Override
		public synchronized void onFirstUserLatency(FirstUserLatency latency) {
			FirstUsersTests.this.results.add(latency);
		}

	});

	@Test
	void usersAreComparedWithTheLastWarmupOfTheirRoute() {
		warmup("run-1", "rooms", 100, 40);
		warmup("run-1", "rooms", 50, 4);
		warmup("run-1", "users", 10, 8);
		report("run-1");
		users("rooms", 100, 6);
		users("users", 100, 6);
		assertThat(this.results).hasSize(2);
		FirstUserLatency rooms = this.results.get(0);
		assertThat(rooms.instance()).isEqualTo(CHAT);
		assertThat(rooms.route()).isEqualTo("rooms");
		assertThat(rooms.run().id()).isEqualTo("run-1");
		assertThat(rooms.p50()).isBetween(Duration.ofMillis(6), Duration.ofNanos(6_060_000));
		assertThat(rooms.p99()).isEqualTo(rooms.p50());
		assertThat(rooms.baseline().requests()).isEqualTo(150);
		assertThat(rooms.ratio()).isBetween(1.47, 1.53);
		assertThat(this.results.get(1).ratio()).isBetween(0.73, 0.77);
		assertThat(this.results.get(1).baseline().requests()).isEqualTo(10);
	}

	@Test
	void failedWarmupDoesNotCount() {
		warmup("run-1", "rooms", 50, 4);
		IntStream.range(0, 200)
			.forEach((i) -> this.fleet.warmupAnswered(CHAT, "run-1", "rooms", Duration.ofMillis(400), true));
		report("run-1");
		users("rooms", 100, 6);
		assertThat(this.results).singleElement().satisfies((result) -> assertThat(result.ratio()).isBetween(1.4, 1.6));
	}

	@Test
	void routeWithoutWarmupIsComparedWithTheWholeRun() {
		warmup("run-1", "rooms", 100, 4);
		report("run-1");
		users("other", 100, 62);
		assertThat(this.results).singleElement().satisfies((result) -> {
			assertThat(result.baseline())
				.isEqualTo(new BaselineLatency(Duration.ofNanos(6_200_000), Duration.ofMillis(9), 0));
			assertThat(result.ratio()).isBetween(9.9, 10.1);
		});
	}

	@Test
	void warmupOfAnotherRunDoesNotCount() {
		warmup("run-1", "rooms", 100, 4);
		report("run-2");
		users("rooms", 100, 6);
		assertThat(this.results).singleElement()
			.satisfies((result) -> assertThat(result.baseline().requests()).isZero());
	}

	@Test
	void noMoreThanAHundredOfARouteAreCounted() {
		report("run-1");
		users("rooms", 99, 6);
		assertThat(this.results).isEmpty();
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isTrue();
		users("rooms", 1, 6);
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		assertThat(this.fleet.awaitsUser(CHAT, "users")).isTrue();
		users("rooms", 500, 6000);
		assertThat(this.results).hasSize(1);
		assertThat(entries()).singleElement().satisfies((entry) -> {
			assertThat(entry.route()).isEqualTo("rooms");
			assertThat(entry.requests()).isEqualTo(100);
			assertThat(entry.steadyP50()).isEqualTo(Duration.ofNanos(6_200_000));
			assertThat(entry.ratio()).isBetween(0.96, 0.99);
		});
	}

	@Test
	void usersAreMeasuredAgainAfterTheNextRunButNotAfterARepeatedReport() {
		report("run-1");
		users("rooms", 100, 6);
		report("run-1");
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		report("run-2");
		users("rooms", 100, 6);
		assertThat(this.results).extracting((result) -> result.run().id()).containsExactly("run-1", "run-2");
	}

	@Test
	void usersAreNotMeasuredAfterARunWithoutASteadyLatency() {
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		warmup("run-1", "rooms", 1, 4);
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		this.fleet.reported(Reports.failed("chat-service", "chat-1", "run-1", "no route"));
		assertThat(this.fleet.awaitsUser(CHAT, "rooms")).isFalse();
		users("rooms", 100, 6);
		assertThat(this.results).isEmpty();
		assertThat(entries()).isEmpty();
	}

	@Test
	void firstRequestIsNotifiedByRouteAndLoggedOnce() {
		report("run-1");
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			users("rooms", 2, 7);
			users("users", 2, 9);
			assertThat(log.lines())
				.containsExactly("INFO chat-service/chat-1 first user request after warm-up: 7.0 ms (1.1x steady)");
		}
		assertThat(this.firsts).containsExactly("rooms 7", "users 9");
	}

	@Test
	void routesAreBounded() {
		report("run-1");
		IntStream.range(0, 500).forEach((i) -> users("route-" + i, 1, 6));
		assertThat(entries()).hasSize(FirstUsers.MAX_ROUTES);
		assertThat(this.fleet.awaitsUser(CHAT, "route-0")).isTrue();
		assertThat(this.fleet.awaitsUser(CHAT, "route-499")).isFalse();
	}

	@Test
	void latencyIsNotifiedOnceByManyThreads() throws Exception {
		report("run-1");
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Future<?>> users = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				users.add(threads.submit(() -> {
					users("rooms", 1000, 6);
					users("users", 1000, 6);
				}));
			}
			for (Future<?> user : users) {
				user.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.results).extracting(FirstUserLatency::route).containsExactlyInAnyOrder("rooms", "users");
		assertThat(this.firsts).containsExactlyInAnyOrder("rooms 6", "users 6");
		assertThat(entries()).extracting(FleetEntry.FirstUsersEntry::requests).containsExactly(100, 100);
	}

	private void warmup(String run, String route, int count, long millis) {
		IntStream.range(0, count)
			.forEach((i) -> this.fleet.warmupAnswered(CHAT, run, route, Duration.ofMillis(millis), false));
	}

	private void report(String run) {
		this.fleet.reported(Reports.warm("chat-service", "chat-1", run));
	}

	private void users(String route, int count, long millis) {
		IntStream.range(0, count)
			.forEach((i) -> this.fleet.userAnswered(CHAT, route, Duration.ofMillis(millis), this.listeners));
	}

	private List<FleetEntry.FirstUsersEntry> entries() {
		return this.fleet.entries().stream().flatMap((entry) -> entry.firstUsers().stream()).toList();
	}

}
