package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
 * Promises 9, 10 and 12 with a PostgreSQL that goes away or hangs, and instances that
 * share it and are stopped in the middle of a run.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DatabaseIT {

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
		try (Stack stack = Stacks
			.counted("database-down", 5,
					Stacks.catalog("database", "{ name: rooms, requests: [GET /chat-service/rooms] }"),
					"--warmup.gate.on-failure=closed", "--warmup.startup.deadline=30s")
			.prefix(this.database.settings())
			.gateways(0)
			.start()) {
			App service = stack.service().awaitUp(Stacks.SOON);
			this.database.stop();
			stack.addGateway();
			Stacks.awaitPhase(service, "FAILED");
			stack.gateway()
				.awaitLog("%s FAILED startup: .*GET /chat-service/rooms 500 \\(expected 2xx\\)"
					.formatted(Stacks.id(service)), Stacks.SOON);
			assertThat(Stacks.gate(service)).isEqualTo("CLOSED");
			assertThat(service.get(Stacks.READY).status()).isEqualTo(503);
			assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(503);

			this.database.startAgain();
			Stacks.awaitPhase(service, "WARM");
			service.awaitReady(Stacks.SOON);
			assertThat(Stacks.gate(service)).isEqualTo("OPEN");
			Stacks.awaitUsers(stack);
		}
	}

	@Test
	void runWhoseDatabaseHangsEndsByTheDeadlineWithTheReasonAndTheNextOneIsWarm() throws IOException {
		try (Stack stack = Stacks.counted("database-hangs", 5, "--warmup.startup.deadline=30s")
			.prefix(this.database.settings())
			.start()) {
			App service = stack.service();
			Stacks.awaitWarming(stack.gateway(), service);
			this.database.freeze();
			try {
				service.awaitReady(Duration.ofSeconds(60));
				stack.gateway()
					.awaitLog("%s (DEGRADED|FAILED) startup: .*/chat-service/\\S+".formatted(Stacks.id(service)),
							Stacks.SOON);
			}
			finally {
				this.database.thaw();
			}
			await().atMost(Stacks.SOON).until(() -> service.get("/rooms").status() == 200);
			Stacks.startRun(service);
			Stacks.awaitPhase(service, "WARM");
		}
	}

	/** {@code finally} is sent when an instance stops; killed, it leaves one request. */
	@Test
	void instanceThatEndsInTheMiddleOfItsRunLeavesNothingBehind() throws IOException {
		try (Stack stack = Stacks.counted("database-shared", 5).prefix(this.database.settings()).start()) {
			App lasting = stack.service().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(stack);
			Stacks.awaitPhase(lasting, "WARM");
			int before = rooms(lasting);
			try (Traffic users = Traffic.of(stack)) {
				App stopped = warming(stack);
				assertThat(stopped.stop()).isTrue();
				Stacks.assertNoAlarm(stopped);
				Stacks.assertNoAlarm(stack.gateway());
				assertThat(rooms(lasting)).isEqualTo(before);
				warming(stack).kill();
				assertThat(rooms(lasting) - before).isBetween(0, 1);
				assertThat(users.isCalm()).isTrue();
			}
		}
	}

	private static App warming(Stack stack) {
		App newcomer = stack.addService("--warmup.startup.min-repetitions=" + Stacks.MANY);
		Stacks.awaitWarming(stack.gateway(), newcomer);
		App.sleep(Duration.ofSeconds(3));
		return newcomer;
	}

	private static int rooms(App service) {
		return service.get("/rooms").<List<?>>read("$[*]").size();
	}

}
