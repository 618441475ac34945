package dev.warmup.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promises 1, 2, 5 and 6 on real processes with the default settings but one. The tests
 * share one stack, in the order of its life. The JVMs use their fast compiler alone, with
 * which they start sooner.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StackIT {

	private static final String SECONDS = "[\\d.]+ s";

	private static final String MILLIS = "[\\d.]+ ms";

	private static final String TAKES_USERS = "dev\\.warmup\\.status +: chat-service/%s takes users after " + SECONDS
			+ ": \\d+ requests, 0 failed, p50 " + MILLIS;

	private static final String WARM = "dev\\.warmup\\.status +: chat-service/%s WARM startup: \\d+ requests in "
			+ SECONDS + ", 0 failed, first " + MILLIS + ", (steady p50 " + MILLIS + " \\([\\d.]+x\\)|p50 " + MILLIS
			+ " \\([\\d.]+x\\), still falling), jit " + SECONDS + ", \\+\\d+ classes";

	private static final int FORGED = 200;

	private static Stack stack;

	@BeforeAll
	static void start() {
		Stack.Builder builder = Stack.in(Stacks.directory("default"), Stacks.jars())
			// as a slow machine manages less within the budget
			.args(Stack.SERVICE, "--warmup.startup.min-repetitions=3");
		for (String service : List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE)) {
			builder.jvm(service, "-XX:TieredStopAtLevel=1");
		}
		stack = builder.start();
		stack.service().awaitReady(Stacks.SOON);
		stack.gateway().awaitReady(Stacks.SOON);
		Stacks.awaitUsers(stack);
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	@Order(1)
	void gatewayLogsWhenUsersComeAndHowTheRunEnded() {
		String id = Stacks.id(stack.service());
		stack.gateway().awaitLog(TAKES_USERS.formatted(id), Stacks.SOON);
		stack.gateway().awaitLog(WARM.formatted(id), Stacks.SOON);
		assertThat(stack.gateway().logText().lines().filter((line) -> line.contains(id + " WARM startup"))).hasSize(1);
		stack.gateway()
			.awaitLog(
					"chat-service/%s first user request after warm-up: %s \\([\\d.]+x its p50\\)".formatted(id, MILLIS),
					Stacks.SOON);
		Stacks.assertNoAlarm(stack.gateway());
		Stacks.assertNoAlarm(stack.service());
	}

	@Test
	@Order(2)
	void serviceAndGatewayAgree() {
		Stacks.awaitVerdict(stack.service());
		Answer service = stack.service().get(Stacks.WARMUP);
		assertThat(service.<String>read("$.phase")).isEqualTo("WARM");
		assertThat(service.<String>read("$.gate")).isEqualTo("OPEN");
		assertThat(service.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP')]")).singleElement()
			.satisfies((run) -> {
				assertThat(run).containsEntry("verdict", "WARM").containsEntry("failed", 0);
				assertThat(String.valueOf(run.get("gateways"))).contains(Stacks.id(stack.gateway()));
				assertThat(Duration.parse((String) run.get("first")))
					.isGreaterThan(Duration.parse((String) run.get("p50")));
			});
		assertThat(stack.service().get(Stacks.READY).status()).isEqualTo(200);
		assertThat(Stacks.reported(stack.gateway(), stack.service(), "phase")).containsExactly("WARM");
		assertThat(Stacks.reported(stack.gateway(), stack.service(), "gate")).containsExactly("OPEN");
	}

	@Test
	@Order(3)
	void forgedTokensAreRefusedAndCountedAndOtherHeadersAreAUsers() {
		String url = stack.gateway().url(Stacks.ROOMS);
		double before = rejected();
		for (int i = 0; i < FORGED; i++) {
			String instance = (i % 2 == 0) ? Stacks.id(stack.service()) : "nowhere:" + i;
			Answer answer = Answer.send(HttpRequest.newBuilder(URI.create(url))
				.header("X-Warmup", "instance=%s; token=%s".formatted(instance, "A".repeat(43))));
			assertThat(answer.status()).isEqualTo(401);
			assertThat(answer.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
			assertThat(answer.headers().map()).doesNotContainKey("x-warmup-instance");
			Answer users = Answer.send(HttpRequest.newBuilder(URI.create(url)).header("X-Warmup", "run-" + i));
			assertThat(users.status()).isEqualTo(200);
			assertThat(users.headers().map()).doesNotContainKey("x-warmup-instance");
		}
		assertThat(rejected() - before).isEqualTo(2 * FORGED);
	}

	private static double rejected() {
		return stack.gateway()
			.get("/actuator/prometheus")
			.body()
			.lines()
			.filter((line) -> line.startsWith("warmup_claims_") && line.contains("outcome=\"rejected\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.sum();
	}

	@ParameterizedTest
	@Order(4)
	@ValueSource(strings = { "/actuator", "/actuator/warmup", "//actuator/prometheus", "/;x/actuator/health",
			"/%61ctuator/health", "/./actuator/health", "/actuator;x/health", "/chat-service/.warmup/ready",
			"/chat-service/.warmup/state", "/chat-service/actuator/warmup", "/chat-service//actuator/warmup",
			"/chat-service/;x/actuator/warmup", "/chat-service/actuator;x/warmup", "/chat-service/%61ctuator/warmup",
			"/chat-service/./actuator/warmup", "/chat-service/actuator/rooms/%2e%2e/warmup",
			"/CHAT-SERVICE/actuator/warmup" })
	void neitherStateNorActuatorIsReachableAtThePublicPort(String path) {
		for (String method : List.of("GET", "POST")) {
			Answer answer = Answer.send(HttpRequest.newBuilder(URI.create(stack.gateway().url("") + path))
				.header("X-Warmup-Gateway", Stacks.id(stack.gateway()))
				.method(method, HttpRequest.BodyPublishers.noBody()));
			assertThat(answer.status()).as(answer.body()).isBetween(400, 405);
			assertThat(answer.body()).doesNotContain("tokenHash");
		}
		assertThat(Stacks.verdicts(stack.service(), "MANUAL")).isEmpty();
	}

	@Test
	@Order(5)
	void noUserMeetsAnErrorOrAClosedGateWhenAnInstanceJoins() {
		Marks.put(stack.service());
		try (Traffic users = Traffic.of(stack)) {
			App newcomer = stack.addService();
			Instant closed = Stacks.lastClosed(newcomer);
			users.awaitReaches(Marks.NONE);
			assertThat(users.since(newcomer.started()))
				.noneMatch((sample) -> sample.instance().equals(Marks.NONE) && sample.end().isBefore(closed));
			stack.gateway()
				.awaitLog("chat-service/%s takes users after .* its share grows for 60 s \\(1 others? serves?\\)"
					.formatted(Stacks.id(newcomer)), Stacks.SOON);
		}
	}

	@Test
	@Order(6)
	void noUserMeetsAnErrorWhenAnInstanceLeavesAndItIsLoggedOnce() {
		App leaving = stack.services().get(1);
		try (Traffic users = Traffic.of(stack)) {
			assertThat(leaving.stop()).isTrue();
			stack.gateway().awaitLog("chat-service/%s .*left".formatted(Stacks.id(leaving)), Stacks.SOON);
			await().atMost(Stacks.SOON)
				.until(() -> Stacks.registered(stack).keySet().equals(Set.of(Stacks.id(stack.service()))));
			assertThat(users.isCalm()).isTrue();
		}
	}

	@Test
	@Order(7)
	void brokenCatalogStopsTheServiceAndEachErrorIsReportedWithItsPlace() throws IOException, InterruptedException {
		Path directory = Stacks.directory("broken-catalog");
		Path catalog = Files.writeString(directory.resolve("broken.yml"), """
				version: 1
				scenarios:
				  - name: rooms
				    requets:
				      - GET /chat-service/rooms
				  - name: users
				    requests:
				      - POST /chat-service/users
				""");
		Path output = directory.resolve("output.txt");
		Process service = new ProcessBuilder(Stacks.java(), "-XX:TieredStopAtLevel=1", "-jar",
				Stacks.jars().resolve("chat-service/chat-service.jar").toString(), "--server.port=0",
				"--management.server.port=0", "--eureka.client.enabled=false", "--warmup.catalog=" + catalog.toUri())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(service.waitFor(2, TimeUnit.MINUTES)).isTrue();
		}
		finally {
			service.destroyForcibly();
		}
		assertThat(service.exitValue()).isNotZero();
		assertThat(Files.readString(output)).containsSubsequence("APPLICATION FAILED TO START", "broken.yml:4:5",
				"requets", "requests", "unsafe");
	}

}
