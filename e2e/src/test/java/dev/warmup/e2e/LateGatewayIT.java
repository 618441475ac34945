package dev.warmup.e2e;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a service does whose gateway is not there when it starts. */
class LateGatewayIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	@Test
	void waitsForTheGatewayAndThenWarms() {
		try (Stack stack = Stacks.named("late-gateway",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "20", "WARMUP_STARTUP_BUDGET", "150s"))) {
			Outcome up = stack.run("up", "--detach", "--without", "gateway");
			assertThat(up.exitCode()).as(up.output()).isZero();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(stack.log("chat-service-1")).containsPattern("(?i)wait.*gateway"));
			assertThat(Answer.to("GET", stack.direct("chat-service-1", "/.warmup/ready")).status()).isEqualTo(503);

			Outcome gateway = stack.run("restart", "gateway");
			assertThat(gateway.exitCode()).as(gateway.output()).isZero();
			await().atMost(SOON)
				.untilAsserted(
						() -> assertThat(stack.log("gateway")).containsPattern("chat-service/\\S+ WARM startup:"));
			assertThat(Answer.to("GET", stack.direct("chat-service-1", "/.warmup/ready")).status()).isEqualTo(200);
		}
	}

	@Test
	void servesWithoutAGatewayAndGoesOnTrying() {
		try (Stack stack = Stacks.named("no-gateway",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "2", "WARMUP_STARTUP_BUDGET", "5s"))) {
			Outcome up = stack.run("up", "--detach", "--without", "gateway");
			assertThat(up.exitCode()).as(up.output()).isZero();
			String warmup = stack.direct("chat-service-1", "/actuator/warmup");
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(Answer.to("GET", warmup).<String>read("$.phase")).isEqualTo("FAILED"));
			assertThat(Answer.to("GET", warmup).<List<String>>read("$.runs[*].verdict")).contains("FAILED");
			assertThat(Answer.to("GET", stack.direct("chat-service-1", "/rooms")).status()).isEqualTo(200);

			int runs = Answer.to("GET", warmup).<List<?>>read("$.runs").size();
			await().atMost(SOON)
				.untilAsserted(
						() -> assertThat(Answer.to("GET", warmup).<List<?>>read("$.runs")).hasSizeGreaterThan(runs));

			Outcome gateway = stack.run("restart", "gateway");
			assertThat(gateway.exitCode()).as(gateway.output()).isZero();
			// 5 s may be too short for more on a slow machine
			await().atMost(SOON)
				.untilAsserted(
						() -> assertThat(Answer.to("GET", warmup).<String>read("$.phase")).isIn("WARM", "DEGRADED"));
			// the gateway is told once the gate has opened
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(stack.log("gateway"))
					.containsPattern("chat-service/\\S+ (WARM|DEGRADED|TIMED_OUT) startup: \\d+"));
		}
	}

}
