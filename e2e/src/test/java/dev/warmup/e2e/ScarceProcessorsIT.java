package dev.warmup.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A stack with the default settings on one or two processors ends its run within its
 * budget, with a verdict that the measurements of the run bear out, and serves users.
 */
@Tag("measure")
@Isolated("another stack would take of the processors that are counted out")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ScarceProcessorsIT {

	private static final Duration BUDGET = Duration.ofSeconds(60);

	/** The requests of a scenario's {@code finally}, 5 s each at most, and the report. */
	private static final Duration GRACE = Duration.ofSeconds(15);

	@ParameterizedTest
	@ValueSource(strings = { "0", "0,1" })
	void runEndsWithinItsBudgetWithATrueVerdict(String processors) {
		assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "skipped: there is no taskset");
		try (Stack stack = Stacks.defaults("processors-" + processors)
			.prefix("taskset", "-c", processors)
			.args(Stack.SERVICE, "--warmup.startup.budget=" + BUDGET.toSeconds() + "s")
			.start()) {
			App service = stack.service();
			stack.awaitReady(Stacks.SOON);
			Map<String, Object> run = service.get(Stacks.WARMUP)
				.<List<Map<String, Object>>>read("$.runs[?(@.trigger == 'STARTUP' && @.sent > 0)]")
				.get(0);
			Figures.add("on processors %s: %s in %s, %s requests; %s", processors, run.get("verdict"), run.get("took"),
					run.get("sent"), run.getOrDefault("reason", ""));
			assertThat(run.get("verdict")).isIn("WARM", "TIMED_OUT");
			assertThat(run).containsEntry("failed", 0);
			assertThat(Duration.parse((String) run.get("took"))).isLessThanOrEqualTo(BUDGET.plus(GRACE));
			List<Boolean> steady = service.get(Stacks.WARMUP)
				.read("$.runs[?(@.id == '%s')].requests[*].steady".formatted(run.get("id")));
			if (run.get("verdict").equals("WARM")) {
				assertThat(steady).isNotEmpty().containsOnly(true);
			}
			else {
				assertThat((String) run.get("reason")).isNotBlank();
			}
			for (int i = 0; i < 50; i++) {
				assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(200);
				assertThat(stack.gateway()
					.post("/chat-service/users",
							"{\"email\": \"%s@example.org\", \"name\": \"Ann\"}".formatted(UUID.randomUUID()))
					.status()).isEqualTo(201);
			}
		}
	}

}
