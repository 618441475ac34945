package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

	@Test
	void rowsAreFoundAmongAllThatUpTells() {
		assertThat(Table.rows("""
				chat-service-1 is up: http://127.0.0.1:20789
				the gateway leads to chat-service (warm-up is off)

				PROCESS          PID      PORT   UP SINCE             PHASE
				gateway          4712     40001  2026-03-01 10:00:02  up
				chat-service-1   4713     20789  2026-03-01 10:00:02  up, warm-up off

				users enter at http://127.0.0.1:40001/chat-service/
				""")).isEqualTo(Map.of("gateway", new Stack.Row(4712, 40_001, "up"), "chat-service-1",
				new Stack.Row(4713, 20_789, "up, warm-up off")));
	}

	@Test
	void aProcessIsStartedWhenItLastSaidSo() {
		assertThat(Table.started(
				"""
						2026-03-01T10:00:02.100Z  INFO 1 --- [gateway] [main] d.w.GatewayApplication : Starting GatewayApplication v1
						2026-03-01T10:00:05.250Z  INFO 1 --- [gateway] [main] d.w.GatewayApplication : Started GatewayApplication in 3.2 seconds (process running for 3.9)
						2026-03-01T12:00:07.500+01:00  INFO 2 --- [gateway] [main] d.w.GatewayApplication : Started GatewayApplication in 4 seconds
						"""))
			.hasValue(Instant.parse("2026-03-01T11:00:07.500Z"));
	}

	@Test
	void whoHasNotSaidSoIsNotStarted() {
		assertThat(Table.started("2026-03-01T10:00:02.100Z  INFO 1 --- [main] d.w.A : Starting A v1\n")).isEmpty();
	}

	@Test
	void theTimeOfTheLastStartIsRead() {
		String log = """
				2026-11-21T20:13:28.126Z  INFO 1 --- [gateway] [main] x.App : Started App in 4.668 seconds (process running for 5.554)
				2026-11-21T20:15:28.126Z  INFO 2 --- [gateway] [main] x.App : Started App in 3.1 seconds (process running for 3.9)
				""";
		assertThat(Table.startTook(log)).contains(Duration.ofMillis(3900));
		assertThat(Table.startTook("Starting App")).isEmpty();
	}

}
