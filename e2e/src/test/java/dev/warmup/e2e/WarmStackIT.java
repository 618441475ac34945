package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a stack does from its start on: it warms, says so, keeps warm, and follows its
 * catalog. The tests share one stack, and run in the order in which its life has these
 * events.
 */
@Isolated("beside another stack its latency would not settle")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WarmStackIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	private static final Pattern WARM = Pattern.compile("""
			chat-service/\\S+ WARM startup: \\d+ requests in [\\d.]+ s, 0 failed, first [\\d.]+ ms, \
			steady p50 [\\d.]+ ms \\(\\d+x\\), jit [\\d.]+ s, \\+\\d+ classes""");

	private static final Pattern FIRST_USER_REQUEST = Pattern
		.compile("chat-service/\\S+ first user request after warm-up: [\\d.]+ ms \\([\\d.]+x steady\\)");

	private static final Path CATALOG = Stacks.directory().resolve("edited-warmup-requests.yml");

	private static Stack stack;

	private static Outcome up;

	@BeforeAll
	static void start() throws IOException {
		Files.copy(Stacks.ROOT.resolve("chat-service/src/main/resources/warmup-requests.yml"), CATALOG,
				StandardCopyOption.REPLACE_EXISTING);
		stack = Stacks.measured("warm", Map.of("WARMUP_CATALOG", CATALOG.toUri().toString(), "WARMUP_IDLE_AFTER", "10s",
				"WARMUP_IDLE_CHECK_EVERY", "1s", "WARMUP_STARTUP_BUDGET", "150s"));
		up = stack.run("up", "--detach");
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	@Order(1)
	void upEndsWithTheServiceWarm() {
		assertThat(up.exitCode()).as(up.output()).isZero();
		assertThat(stack.status().get("chat-service-1")).as(up.output())
			.satisfies((row) -> assertThat(row.phase()).isEqualTo("WARM"));
	}

	@Test
	@Order(2)
	void theGatewayTellsWhatTheRunDidInOneLine() {
		assertThat(statusLines()).filteredOn(WARM.asPredicate()).hasSize(1);
	}

	@Test
	@Order(3)
	void theServiceAndTheGatewayAgree() {
		Answer service = Answer.to("GET", stack.direct("chat-service-1", "/actuator/warmup"));
		assertThat(service.<String>read("$.service")).isEqualTo("chat-service");
		assertThat(service.<String>read("$.phase")).isEqualTo("WARM");
		List<Map<String, Object>> startup = service.read("$.runs[?(@.trigger == 'STARTUP')]");
		assertThat(startup).singleElement().satisfies((run) -> {
			assertThat(run).containsEntry("verdict", "WARM").containsEntry("failed", 0);
			assertThat((Integer) run.get("sent")).isPositive();
			assertThat(Duration.parse((String) run.get("first")))
				.isGreaterThan(Duration.parse((String) run.get("steadyP50")));
		});

		Answer gateway = stack.get("/actuator/warmup");
		String instance = service.read("$.instanceId");
		List<Map<String, Object>> entry = gateway.read("$.fleet[?(@.service == 'chat-service')]");
		assertThat(entry).singleElement()
			.satisfies((it) -> assertThat(it).containsEntry("instanceId", instance).containsEntry("phase", "WARM"));
		assertThat(Answer.to("GET", stack.direct("chat-service-1", "/.warmup/ready")).status()).isEqualTo(200);
	}

	@Test
	@Order(4)
	void theRunsLeaveNothingBehind() {
		// not at once: an idle run may have a room open
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(
					Answer.to("GET", stack.direct("chat-service-1", "/rooms")).<List<String>>read("$[*].name"))
				.containsExactly("lobby"));
	}

	@Test
	@Order(5)
	void theFirstUserRequestIsHeldAgainstTheWarmUp() {
		assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
		await().atMost(SOON).untilAsserted(() -> assertThat(statusLines()).anyMatch(FIRST_USER_REQUEST.asPredicate()));
	}

	@Test
	@Order(6)
	void theGatewayLogsNothingPerRequest() {
		String before = stack.log("gateway");
		for (int i = 0; i < 50; i++) {
			assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
		}
		String news = stack.log("gateway").substring(before.length());
		assertThat(news.lines()).allMatch((line) -> line.contains("dev.warmup.status")).hasSizeLessThan(5);
	}

	@Test
	@Order(6)
	void theGatewayLeadsNobodyToWhatIsTheOperators() {
		assertThat(stack.get("/chat-service/actuator/warmup").status()).isEqualTo(404);
		assertThat(Answer.to("POST", stack.gateway("/chat-service/actuator/warmup")).status()).isEqualTo(404);
		assertThat(stack.get("/chat-service/.warmup/ready").status()).isEqualTo(404);
	}

	@Test
	@Order(7)
	void userTrafficKeepsIdleRunsAway() {
		assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
		long before = idleRuns();
		await().pollInterval(Duration.ofSeconds(2))
			.during(Duration.ofSeconds(24))
			.atMost(Duration.ofSeconds(40))
			.untilAsserted(() -> {
				assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
				assertThat(idleRuns()).isEqualTo(before);
			});
	}

	@Test
	@Order(8)
	void anIdleServiceIsWarmedAgain() {
		long before = idleRuns();
		await().atMost(SOON).untilAsserted(() -> assertThat(idleRuns()).isGreaterThan(before));
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(Answer.to("GET", stack.direct("chat-service-1", "/actuator/warmup")).body())
				.contains("\"IDLE\""));
	}

	@Test
	@Order(9)
	void anEditedCatalogIsReplayed() throws IOException {
		Files.writeString(CATALOG, """

				  - name: added-by-hand
				    requests:
				      - name: list-again
				        method: GET
				        path: /chat-service/rooms
				""", StandardOpenOption.APPEND);
		String warmup = stack.direct("chat-service-1", "/actuator/warmup");
		// 409 as long as an idle run is under way
		await().atMost(SOON).until(() -> Answer.to("POST", warmup).status() == 202);
		assertThat(Answer.to("POST", warmup).status()).isEqualTo(409);
		await().atMost(SOON).untilAsserted(() -> {
			List<String> scenarios = Answer.to("GET", warmup)
				.read("$.runs[?(@.failed == 0)].requests[?(@.sent > 0)].scenario");
			assertThat(scenarios).contains("added-by-hand");
		});
	}

	private static long idleRuns() {
		return statusLines().stream().filter((line) -> line.contains("IDLE re-warm")).count();
	}

	private static List<String> statusLines() {
		return stack.log("gateway").lines().filter((line) -> line.contains("dev.warmup.status")).toList();
	}

}
