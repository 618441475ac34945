package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promises 6 and 7: the life of a service after its first run, with users, idle times, an
 * edited catalog and a broken edit.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class IdleAndReloadIT {

	private static Path catalog;

	private static Stack stack;

	@BeforeAll
	static void start() throws IOException {
		catalog = Stacks.directory("edited-catalog").resolve("warmup-requests.yml");
		Files.copy(Stacks.ROOT.resolve("docker/warmup-requests.yml"), catalog);
		stack = Stacks.warm(Stacks.counted("idle-and-reload", 10, "--warmup.catalog=" + catalog.toUri(),
				"--warmup.idle.after=10s"));
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	@Order(3)
	void userTrafficKeepsIdleRunsAway() {
		long before = idleRuns().count();
		await().pollInterval(Duration.ofSeconds(2))
			.during(Duration.ofSeconds(14))
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> {
				assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(200);
				assertThat(idleRuns()).hasSize((int) before);
			});
	}

	@Test
	@Order(4)
	void idleServiceIsWarmedAgainAndLeavesNothingBehind() {
		long before = idleRuns().count();
		await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(idleRuns().count()).isGreaterThan(before));
		assertThat(Stacks.verdicts(stack.service(), "IDLE")).isNotEmpty();
		assertThat(Stacks.gate(stack.service())).isEqualTo("OPEN");
		// not at once: another idle run may have a room open
		await().atMost(Stacks.SOON)
			.untilAsserted(() -> assertThat(stack.service().get("/rooms").<List<String>>read("$[*].name"))
				.containsExactly("lobby"));
	}

	@Test
	@Order(5)
	void editedCatalogIsReplayed() throws IOException {
		Files.writeString(catalog, """

				  - name: added-by-hand
				    requests:
				      - GET /chat-service/rooms
				""", StandardOpenOption.APPEND);
		// 409 while an idle run is under way
		Stacks.startRun(stack.service());
		assertThat(stack.service().post(Stacks.WARMUP).status()).isEqualTo(409);
		await().atMost(Stacks.SOON)
			.untilAsserted(() -> assertThat(stack.service()
				.get(Stacks.WARMUP)
				.<List<String>>read("$.runs[?(@.failed == 0)].requests[?(@.sent > 0)].scenario"))
				.contains("added-by-hand"));
	}

	@Test
	@Order(6)
	void brokenEditIsLoggedAndTheLastGoodCatalogServesOn() throws IOException {
		Files.writeString(catalog, "\n    requets: []\n", StandardOpenOption.APPEND);
		Stacks.startRun(stack.service());
		stack.service().awaitLog("warmup-requests.yml:\\d+:\\d+.*requets", Stacks.SOON);
		Stacks.awaitPhase(stack.service(), "WARM");
		assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(200);
	}

	private static Stream<String> idleRuns() {
		return stack.gateway().logText().lines().filter((line) -> line.contains("IDLE re-warm"));
	}

}
