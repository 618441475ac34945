package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A service whose PostgreSQL goes away before its run or in the middle of it: no run
 * hangs, each reports the reason, and the next one is warm.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DatabaseDiesIT {

	private static final Duration BUDGET = Duration.ofSeconds(30);

	/** The requests of a scenario's {@code finally}, 5 s each at most, and the report. */
	private static final Duration GRACE = Duration.ofSeconds(15);

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
	void gateStaysClosedWithoutTheDatabaseWhereConfiguredAndOpensWhenItReturns() throws IOException {
		Path catalog = Files.writeString(this.directory.resolve("warmup-requests.yml"), """
				version: 1
				scenarios:
				  - name: rooms
				    requests:
				      - GET /chat-service/rooms
				""");
		try (Stack stack = stack("database-down", Duration.ofSeconds(150))
			.args(Stack.SERVICE, "--warmup.catalog=" + catalog.toUri(), "--warmup.gate.on-failure=closed")
			.gateways(0)
			.start()) {
			App service = stack.service();
			service.awaitLog("there is no service 'gateway'", Stacks.SOON);
			this.database.stop();
			stack.addGateway();
			assertEnded(service, "FAILED", "GET /chat-service/rooms 500 \\(expected ");
			assertThat(service.get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("CLOSED");
			assertThat(service.get(Stacks.READY).status()).isEqualTo(503);
			assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(503);
			assertReported(stack, "FAILED");

			this.database.startAgain();
			Stacks.awaitPhase(service, "WARM");
			assertThat(service.get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("OPEN");
			Stacks.awaitUsers(stack);
		}
	}

	@Test
	void databaseThatStopsOrHangsDuringARunEndsItWithTheReason() throws IOException {
		try (Stack stack = stack("database-stops", BUDGET).start()) {
			Stacks.awaitRunBegin(stack);
			this.database.stop();
			assertEnded(stack.service(), "DEGRADED", "/chat-service/\\S+ 500 \\(expected ");
			assertThat(stack.service().get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("OPEN");
			assertReported(stack, "DEGRADED");
			// served, though with an error, once the gateway has looked up what was
			// reported
			await().atMost(Stacks.SOON).until(() -> stack.get(Stacks.ROOMS).status() == 500);

			this.database.startAgain();
			await().atMost(Stacks.SOON).until(() -> stack.service().get("/rooms").status() == 200);
			App second = stack.addService();
			Stacks.awaitWarming(stack.gateway(), second);
			this.database.freeze();
			try {
				assertEnded(second, "DEGRADED", "/chat-service/\\S+ no answer within 5000 ms");
			}
			finally {
				this.database.thaw();
			}
			await().atMost(Stacks.SOON).until(() -> second.get("/rooms").status() == 200);
			Stacks.startRun(second);
			await().atMost(Stacks.SOON).until(() -> Stacks.verdicts(second, "MANUAL").size() == 1);
			// on a slow machine the budget may be too short for all repetitions
			assertThat(Stacks.verdicts(second, "MANUAL")).containsAnyOf("WARM", "TIMED_OUT");
		}
	}

	private Stack.Builder stack(String name, Duration budget) {
		return Stacks.counted(name, 200, budget.toSeconds() + "s").prefix(this.database.settings());
	}

	/** The first run at the start that has sent something. */
	private static void assertEnded(App service, String phase, String reason) {
		Stacks.awaitPhase(service, phase);
		Map<String, Object> run = service.get(Stacks.WARMUP)
			.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP' && @.sent > 0)]")
			.get(0);
		assertThat((String) run.get("reason")).containsPattern(reason);
		assertThat(Duration.parse((String) run.get("took"))).isLessThanOrEqualTo(BUDGET.plus(GRACE));
	}

	private static void assertReported(Stack stack, String phase) {
		await().atMost(Stacks.SOON)
			.untilAsserted(() -> assertThat(stack.get(Stacks.WARMUP).<List<String>>read("$.fleet[*].phase"))
				.containsExactly(phase));
	}

}
