package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A service whose PostgreSQL goes away before its run, or in the middle of it: no run
 * hangs, each says what it met, and the next one is warm.
 */
class DatabaseDiesIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	private static final Duration BUDGET = Duration.ofSeconds(30);

	private static final String NEEDS_DATABASE = """
			version: 1
			scenarios:
			  - name: rooms
			    requests:
			      - name: list-rooms
			        method: GET
			        path: /chat-service/rooms
			        expect: { status: 200 }
			""";

	private static final String ROOMS = "/chat-service/rooms";

	@TempDir
	private Path directory;

	private Database database;

	@BeforeEach
	void startDatabase() throws IOException {
		this.database = new Database(this.directory.resolve("data"));
	}

	@AfterEach
	void stopDatabase() throws IOException {
		this.database.close();
	}

	@Test
	void oneThatIsDownFailsARunThatNeedsItAndTheGateStaysClosedWhereThatIsAskedFor() throws IOException {
		Path catalog = Files.writeString(this.directory.resolve("warmup-requests.yml"), NEEDS_DATABASE);
		try (Stack stack = stack("database-down", Map.of("WARMUP_CATALOG", catalog.toUri().toString(),
				"WARMUP_GATE_ON_FAILURE", "closed", "WARMUP_STARTUP_BUDGET", "150s"))) {
			upWithoutGateway(stack);
			this.database.stop();
			stack.run("restart", "gateway");
			StartupRun run = ended("database down before the run", stack);
			assertThat(run.verdict()).isEqualTo("FAILED");
			assertThat(run.reason()).contains("GET /chat-service/rooms 500 (expected 200)");
			run.assertToldEverywhere("FAILED", "CLOSED");
			assertThat(Answer.to("GET", stack.direct("chat-service-1", "/.warmup/ready")).status()).isEqualTo(503);
			assertThat(stack.get(ROOMS).status()).isEqualTo(503);

			this.database.startAgain();
			await("the run that is tried again").atMost(SOON)
				.untilAsserted(
						() -> assertThat(Answer.to("GET", warmup(stack)).<String>read("$.phase")).isEqualTo("WARM"));
			assertThat(Answer.to("GET", warmup(stack)).<String>read("$.gate")).isEqualTo("OPEN");
			await().atMost(SOON).until(() -> stack.get(ROOMS).status() == 200);
		}
	}

	@Test
	void oneThatStopsInTheMiddleEndsTheRunWithTheReason() throws IOException {
		try (Stack stack = stack("database-stops", Map.of())) {
			Process up = upInBackground(stack);
			this.database.stop();
			StartupRun run = ended("database stopped in the middle of the run", stack);
			assertThat(run.verdict()).isIn("DEGRADED", "TIMED_OUT");
			assertThat(run.reason()).containsPattern("/chat-service/\\S+ 500 \\(expected ");
			run.assertToldEverywhere("DEGRADED", "OPEN").assertEndedWithin(BUDGET);
			assertThat(stack.get(ROOMS).status()).as("answered, though by an error").isEqualTo(500);
			await().atMost(SOON).until(() -> !up.isAlive());

			this.database.startAgain();
			assertNotFailedAgain(stack);
		}
	}

	@Test
	void oneThatAnswersNothingMoreEndsTheRunWithinItsBudget() throws IOException {
		try (Stack stack = stack("database-hangs", Map.of())) {
			Process up = upInBackground(stack);
			this.database.freeze();
			try {
				StartupRun run = ended("database frozen in the middle of the run", stack);
				assertThat(run.verdict()).isIn("DEGRADED", "TIMED_OUT");
				assertThat(run.reason()).containsPattern("/chat-service/\\S+ no answer within 5000 ms");
				run.assertToldEverywhere("DEGRADED", "OPEN").assertEndedWithin(BUDGET);
			}
			finally {
				this.database.thaw();
			}
			await().atMost(SOON).until(() -> !up.isAlive());
			assertNotFailedAgain(stack);
		}
	}

	private Stack stack(String name, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(this.database.settings());
		all.putAll(Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "200", "WARMUP_STARTUP_BUDGET", BUDGET.toSeconds() + "s"));
		all.putAll(settings);
		return Stacks.named(name, all);
	}

	/** Its first request then meets what became of the database in the meantime. */
	private static void upWithoutGateway(Stack stack) {
		Outcome up = stack.run("up", "--detach", "--without", "gateway");
		assertThat(up.exitCode()).as(up.output()).isZero();
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(stack.log("chat-service-1")).containsPattern("(?i)wait.*gateway"));
	}

	/** Up to the first answer of its run, which goes on. */
	private static Process upInBackground(Stack stack) {
		Process up = stack.start(stack.outputOf("up-in-background"), "up", "--detach");
		StartupRun.awaitBegin(stack);
		return up;
	}

	private static StartupRun ended(String how, Stack stack) {
		String warmup = warmup(stack);
		await().atMost(SOON).until(() -> !Answer.to("GET", warmup).<List<?>>read("$.runs[?(@.sent > 0)]").isEmpty());
		StartupRun run = StartupRun.of(stack);
		Figures.tell("%s: %s in %.1f s, %s requests, %s failed; %s", how, run.verdict(), run.took().toMillis() / 1e3,
				run.record().get("sent"), run.record().get("failed"), run.reason());
		return run;
	}

	/** On a slow machine the budget may be too short for all repetitions. */
	private static void assertNotFailedAgain(Stack stack) {
		String warmup = warmup(stack);
		assertThat(Answer.to("POST", warmup).status()).isEqualTo(202);
		String manual = "$.runs[?(@.trigger == 'MANUAL')]";
		await().atMost(SOON)
			.untilAsserted(
					() -> assertThat(Answer.to("GET", warmup).<List<String>>read(manual + ".verdict")).hasSize(1));
		assertThat(Answer.to("GET", warmup).<List<String>>read(manual + ".verdict")).containsAnyOf("WARM", "TIMED_OUT");
		assertThat(Answer.to("GET", warmup).<List<Integer>>read(manual + ".failed")).containsExactly(0);
		assertThat(stack.get(ROOMS).status()).isEqualTo(200);
	}

	private static String warmup(Stack stack) {
		return stack.direct("chat-service-1", "/actuator/warmup");
	}

}
