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

/**
 * Users come all the time while instances and gateways come and go. With warm-up none of
 * them meets an error, or an instance that is not warm. With a plain load balancer, which
 * {@code bench/run join} times, they meet such an instance.
 */
@Isolated("users are timed")
class NoColdUserIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	/** How long users are watched before and around an event. */
	private static final Duration WINDOW = Duration.ofSeconds(Integer.getInteger("e2e.window", 10));

	/** What {@code ./stack} says when all runs, but somebody did not get warm. */
	private static final int NOT_WARM = 3;

	private static final String ROOMS = "/chat-service/rooms";

	private static final Map<String, String> SETTINGS = Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "50",
			"WARMUP_STARTUP_BUDGET", "150s");

	/** Warm-up goes where the load balancer sends it, and nothing keeps users away. */
	private static final Map<String, String> PLAIN = Map.of("GATEWAY_OPTS", "-Dwarmup.enabled=false",
			"WARMUP_GATE_ENABLED", "false", "WARMUP_STARTUP_BUDGET", "10s");

	@Test
	void nobodyMeetsAColdInstanceWhenOneJoinsOrAllAreRestarted() {
		try (Stack stack = Stacks.timed("no-cold-user", SETTINGS)) {
			run(stack, 0, "up", "--detach");
			Marks.put(stack, "chat-service-1");
			try (SteadyClient users = users(stack)) {
				List<SteadyClient.Sample> before = users.during(WINDOW);
				List<SteadyClient.Sample> around = join(stack, 0, users);
				Figures.compare("An instance joins", before, around);
				assertThat(around).noneMatch(SteadyClient.Sample::isError);
				Instant opened = openedAt(stack, "chat-service-2");
				assertThat(by(around, Marks.NONE)).isNotEmpty()
					.allSatisfy((sample) -> assertThat(sample.answered()).isAfter(opened));

				Instant restart = Instant.now();
				rollingRestart(stack);
				users.during(WINDOW);
				List<SteadyClient.Sample> restarted = users.since(restart);
				Figures.compare("Two instances are restarted, one after the other", before, restarted);
				assertThat(restarted).noneMatch(SteadyClient.Sample::isError);
				users.finish();
			}
		}
	}

	@Test
	void aPlainLoadBalancerSendsUsersToAColdInstance() {
		try (Stack stack = Stacks.named("plain", PLAIN)) {
			run(stack, NOT_WARM, "up", "--detach");
			Marks.put(stack, "chat-service-1");
			try (SteadyClient users = users(stack)) {
				List<SteadyClient.Sample> around = join(stack, NOT_WARM, users);
				assertThat(by(around, Marks.NONE)).isNotEmpty();
				users.finish();
			}
		}
	}

	private static void run(Stack stack, int exitCode, String... arguments) {
		Outcome outcome = stack.run(arguments);
		assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
	}

	/** Comes for long enough to be warm itself, before anything is measured. */
	private static SteadyClient users(Stack stack) {
		SteadyClient users = SteadyClient.start(stack.gateway(ROOMS), Marks::find);
		users.during(WINDOW);
		return users;
	}

	private static List<SteadyClient.Sample> join(Stack stack, int exitCode, SteadyClient users) {
		Instant from = Instant.now();
		run(stack, exitCode, "scale", "2");
		users.during(WINDOW);
		return users.since(from);
	}

	private static void rollingRestart(Stack stack) {
		for (String process : List.of("chat-service-1", "chat-service-2")) {
			run(stack, 0, "restart", process);
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(Answer.to("GET", stack.direct(process, "/.warmup/ready")).status())
					.isEqualTo(200));
		}
	}

	/** When the run of an instance was over, and the gate opened. */
	private static Instant openedAt(Stack stack, String process) {
		Answer status = Answer.to("GET", stack.direct(process, "/actuator/warmup"));
		assertThat(status.<String>read("$.phase")).isEqualTo("WARM");
		assertThat(status.<String>read("$.gate")).isEqualTo("OPEN");
		return Instant.parse(status.read("$.since"));
	}

	private static List<SteadyClient.Sample> by(List<SteadyClient.Sample> samples, String instance) {
		return samples.stream().filter((sample) -> !sample.isError() && sample.by().equals(instance)).toList();
	}

}
