package dev.warmup.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.Answer;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the product promises, on real processes started by {@code ./stack} with the
 * default settings. The tests share one stack, in the order of its life. Only the budget
 * of a run is longer than the default, since machines differ in speed, and the JVMs use
 * their fast compiler alone, with which a run takes half the time.
 */
@Isolated("in parallel with another stack its latency would not settle")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StackIT {

	private static final Pattern WARM = Pattern.compile("""
			dev\\.warmup\\.status +: chat-service/\\S+ WARM startup: \\d+ requests in [\\d.]+ s, 0 failed, \
			first [\\d.]+ ms, steady p50 [\\d.]+ ms \\([\\d.]+x\\), jit [\\d.]+ s, \\+\\d+ classes""");

	private static final int FORGED = 200;

	private static final int USERS_PER_SECOND = 20;

	/** How long users come before an event. */
	private static final Duration BEFORE = Duration.ofSeconds(2);

	/** How long they keep coming: a new instance gets only a few of them at first. */
	private static final Duration AFTERWARDS = Duration.ofSeconds(10);

	private static final int RUNNING_BUT_NOT_WARM = 3;

	private static Launcher stack;

	private static Launcher.Outcome up;

	@BeforeAll
	static void start() {
		stack = new Launcher("default", Stacks.ROOT,
				Map.of("WARMUP_STARTUP_BUDGET", "150s", "JAVA_OPTS", "-Xmx512m -XX:TieredStopAtLevel=1"));
		up = stack.run("up", "--detach");
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	@Order(1)
	void upEndsWhenTheServiceIsWarmAndShowsTheGatewaysStatusLine() throws IOException {
		assertThat(up.exitCode()).as(up.output()).isZero();
		assertThat(up.output()).containsPattern("gateway: chat-service/\\S+ WARM startup: ");
		assertThat(Files.readAllLines(stack.log("gateway")).stream().filter(WARM.asPredicate())).hasSize(1);
	}

	@Test
	@Order(2)
	void serviceGatewayAndStatusAgree() {
		Launcher.Launched process = stack.services().get(0);
		Answer service = process.get(Stacks.WARMUP);
		assertThat(service.<String>read("$.service")).isEqualTo("chat-service");
		assertThat(service.<String>read("$.phase")).isEqualTo("WARM");
		assertThat(service.<String>read("$.gate")).isEqualTo("OPEN");
		assertThat(service.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP')]")).singleElement()
			.satisfies((run) -> {
				assertThat(run).containsEntry("verdict", "WARM").containsEntry("failed", 0);
				assertThat(Duration.parse((String) run.get("first")))
					.isGreaterThan(Duration.parse((String) run.get("steadyP50")));
			});
		assertThat(process.get(Stacks.READY).status()).isEqualTo(200);
		assertThat(stack.gateway()
			.get(Stacks.WARMUP)
			.<List<Map<String, Object>>>read("$.fleet[?(@.service == 'chat-service')]")).singleElement()
			.satisfies((entry) -> assertThat(entry).containsEntry("instanceId", service.read("$.instanceId"))
				.containsEntry("phase", "WARM"));
		Launcher.Outcome status = stack.run("status");
		assertThat(status.exitCode()).isZero();
		assertThat(status.output()).containsPattern("(?m)^chat-service-1 +%d +%d +%d +WARM$".formatted(process.pid(),
				process.port(), process.port() + Launcher.MANAGEMENT));
	}

	@Test
	@Order(3)
	void forgedClaimsAreServedAsUsersRequestsAndCounted() {
		String instance = stack.services().get(0).get(Stacks.WARMUP).read("$.instanceId");
		WarmupKey forger = WarmupKey.generate(Clock.systemUTC());
		double before = rejectedClaims();
		for (int i = 0; i < FORGED; i++) {
			String claim = forger
				.claim((i % 2 == 0) ? instance : "nowhere:" + i, "gateway", SignedClaim.Scope.REPLAY, "run-" + i)
				.format();
			Answer answer = Answer
				.send(HttpRequest.newBuilder(URI.create(stack.gateway().url(Stacks.ROOMS))).header("X-Warmup", claim));
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.headers().map()).doesNotContainKey("x-warmup-instance");
		}
		assertThat(rejectedClaims() - before).isEqualTo(FORGED);
	}

	@Test
	@Order(4)
	void addressOfWhatAUserCreatesIsThatAtTheGateway() {
		Answer answer = Answer.send(HttpRequest.newBuilder(URI.create(stack.gateway().url("/chat-service/users")))
			.header("Content-Type", "application/json")
			.header("X-Forwarded-Host", "elsewhere.invalid")
			.POST(HttpRequest.BodyPublishers.ofString("{\"email\": \"location@example.org\", \"name\": \"a user\"}")));
		assertThat(answer.headers().firstValue("Location").orElseThrow())
			.startsWith(stack.gateway().url("/chat-service/users/"));
	}

	@ParameterizedTest
	@Order(4)
	@ValueSource(strings = { "/actuator", "/actuator/warmup", "//actuator/prometheus", "/;x/actuator/health",
			"/%61ctuator/health", "/./actuator/health", "/actuator;x/health", "/chat-service/.warmup/ready",
			"/chat-service/actuator/warmup", "/chat-service//actuator/warmup", "/chat-service/;x/actuator/warmup",
			"/chat-service/actuator;x/warmup", "/chat-service/%61ctuator/warmup", "/chat-service/./actuator/warmup",
			"/chat-service/actuator/rooms/%2e%2e/warmup", "/CHAT-SERVICE/actuator/warmup" })
	void noActuatorIsReachableAtTheGatewaysPublicPort(String path) {
		Answer answer = Answer.to("GET", stack.gateway().url(path));
		assertThat(answer.status()).as(answer.body()).isBetween(400, 404);
		assertThat(Answer.to("POST", stack.gateway().url(path)).status()).isBetween(400, 405);
		assertThat(stack.services().get(0).get(Stacks.WARMUP).<List<?>>read("$.runs[?(@.trigger == 'MANUAL')]"))
			.isEmpty();
	}

	private static double rejectedClaims() {
		return stack.gateway()
			.get("/actuator/prometheus")
			.body()
			.lines()
			.filter((line) -> line.startsWith("warmup_claims_") && line.contains("outcome=\"rejected\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.sum();
	}

	@Test
	@Order(5)
	void noUserMeetsAnErrorOrAClosedGateWhenAnInstanceJoins() throws IOException {
		Launcher.Launched first = stack.services().get(0);
		assertThat(Answer.toPost(first.url("/rooms"), "{\"name\": \"mark of chat-service-1\"}").status())
			.isEqualTo(201);
		List<Sample> samples = usersDuring("scale", "2");
		assertThat(samples).isNotEmpty().allMatch(Sample::expected);
		assertThat(stack.services()).hasSize(2).contains(first);
		Launcher.Launched newcomer = stack.services().get(1);
		Instant opened = openedByTheGatewaysLog(newcomer);
		assertThat(samples.stream().filter((sample) -> sample.instance().equals(Marks.NONE))).isNotEmpty()
			.allSatisfy((sample) -> assertThat(sample.end()).isAfter(opened));
	}

	/** RAMPING, or the verdict where all was steady before. */
	private static Instant openedByTheGatewaysLog(Launcher.Launched service) throws IOException {
		String instance = service.get(Stacks.WARMUP).read("$.instanceId");
		return Files.readAllLines(stack.log("gateway"))
			.stream()
			.filter((line) -> line.contains("dev.warmup.status") && line.contains(instance)
					&& !line.endsWith(" WARMING"))
			.map((line) -> OffsetDateTime.parse(line.substring(0, line.indexOf(' '))).toInstant())
			.findFirst()
			.orElseThrow();
	}

	@Test
	@Order(6)
	void noUserMeetsAnErrorInARollingRestart() {
		List<Launcher.Launched> before = stack.services();
		List<Sample> samples = usersDuring("restart", "chat-service");
		assertThat(samples).isNotEmpty().allMatch(Sample::expected);
		assertThat(stack.services()).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
	}

	/**
	 * While users send requests, a run on a slow machine may not become steady within its
	 * budget.
	 */
	private static List<Sample> usersDuring(String... command) {
		try (Users users = new Users(stack.gateway().url(Stacks.ROOMS), USERS_PER_SECOND,
				(answer) -> Marks.find(answer.body()))) {
			users.during(BEFORE);
			Launcher.Outcome outcome = stack.run(command);
			assertThat(outcome.exitCode()).as(outcome.output()).isIn(0, RUNNING_BUT_NOT_WARM);
			users.during(AFTERWARDS);
			return users.finish();
		}
	}

	@Test
	@Order(7)
	void brokenCatalogStopsTheServiceAndIsReportedWithItsPlace() throws IOException, InterruptedException {
		Path directory = Stacks.directory("broken-catalog");
		Path catalog = Files.writeString(directory.resolve("broken.yml"), """
				version: 1
				scenarios:
				  - name: rooms
				    requets:
				      - GET /chat-service/rooms
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
				"requets", "requests");
	}

}
