package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.load.SteadyClient;
import dev.warmup.bench.scenario.Marks;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Eight instances start at once, and users come all the time. */
@Isolated("users are timed")
class HerdIT {

	private static final int HERD = 8;

	private static final Duration SOON = Duration.ofMinutes(6);

	private static final Duration WINDOW = Duration.ofSeconds(Integer.getInteger("e2e.window", 10));

	@Test
	void everyInstanceReachesAVerdictAndUsersComeFirst() {
		try (Stack stack = Stacks.timed("herd", Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "10", "WARMUP_STARTUP_BUDGET",
				"150s", "STACK_WAIT", "540", "CHAT_SERVICE_OPTS", "-Xmx256m " + Stacks.CHEAPEST))) {
			Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).as(up.output()).isZero();
			try (SteadyClient users = SteadyClient.start(stack.gateway("/chat-service/rooms"), Marks::find)) {
				users.during(WINDOW);
				List<SteadyClient.Sample> before = users.during(WINDOW);
				Instant from = Instant.now();
				Outcome scale = stack.run("scale", Integer.toString(1 + HERD));
				assertThat(scale.exitCode()).as(scale.output()).isIn(0, 3);
				for (int i = 2; i <= 1 + HERD; i++) {
					String process = "chat-service-" + i;
					await().atMost(SOON).untilAsserted(() -> assertThat(verdict(stack, process)).isNotEmpty());
				}
				List<SteadyClient.Sample> storm = users.since(from);
				Figures.compare(HERD + " instances start at once", before, storm);
				assertThat(storm).noneMatch(SteadyClient.Sample::isError);
				users.finish();
			}
			for (int i = 1; i <= 1 + HERD; i++) {
				assertThat(verdict(stack, "chat-service-" + i)).as("chat-service-%s", i)
					.allMatch((verdict) -> verdict.equals("WARM"));
			}
		}
	}

	private static List<String> verdict(Stack stack, String process) {
		return Answer.to("GET", stack.direct(process, "/actuator/warmup"))
			.read("$.runs[?(@.trigger == 'STARTUP')].verdict");
	}

}
