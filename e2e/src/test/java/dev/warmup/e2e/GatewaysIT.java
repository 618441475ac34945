package dev.warmup.e2e;

import java.time.Duration;
import java.util.Map;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A gateway that restarts, or joins, is warm before it says that users may come. */
@Isolated("the first user is timed")
class GatewaysIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	private static final String ROOMS = "/chat-service/rooms";

	private static final int UNTIL_STEADY = 2_000;

	private static final int MEASURED = 200;

	private static final Map<String, String> SETTINGS = Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "50",
			"WARMUP_STARTUP_BUDGET", "150s");

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.named("gateways", SETTINGS);
		Outcome up = stack.run("up", "--detach");
		assertThat(up.exitCode()).as(up.output()).isZero();
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void aRestartedGatewayIsWarmedByAServiceBeforeItIsReady() {
		String service = stack.direct("chat-service-1", "/actuator/warmup");
		int runs = runs(service);
		Outcome restart = stack.run("restart", "gateway");
		assertThat(restart.exitCode()).as(restart.output()).isZero();
		awaitReady(stack.gateway("/.warmup/ready"));
		assertThat(runs(service)).isGreaterThan(runs);
		assertThat(fleetPhase(stack.gateway("/actuator/warmup"))).isEqualTo("WARM");
		assertThat(Answer.to("GET", service).<String>read("$.gate")).isEqualTo("OPEN");
		tellFirst("A gateway restarts", stack.gateway(ROOMS));
	}

	@Test
	void aSecondGatewayIsWarmedByAServiceBeforeItIsReady() {
		try (OtherGateway second = OtherGateway.beside(stack, "second-gateway", SETTINGS)) {
			awaitReady(second.url("/.warmup/ready"));
			assertThat(fleetPhase(second.url("/actuator/warmup"))).isEqualTo("WARM");
			tellFirst("A gateway joins", second.url(ROOMS));
			assertThat(second.log()).doesNotContain("ERROR");
		}
	}

	@Test
	void aGatewayWithNoServiceIsReadyAtOnce() {
		try (Stack empty = Stacks.named("gateway-alone", SETTINGS)) {
			Outcome up = empty.run("up", "--detach", "--without", "chat-service");
			assertThat(up.exitCode()).as(up.output()).isZero();
			awaitReady(empty.gateway("/.warmup/ready"));
			assertThat(Answer.to("GET", empty.gateway("/actuator/health/readiness")).status()).isEqualTo(200);
		}
	}

	private static void awaitReady(String url) {
		await().atMost(SOON).until(() -> Answer.to("GET", url).status() == 200);
	}

	private static int runs(String service) {
		return Answer.to("GET", service).<java.util.List<?>>read("$.runs").size();
	}

	private static String fleetPhase(String gateway) {
		return Answer.to("GET", gateway).read("$.fleet[0].phase");
	}

	/** What the first user met, against what thousands later meet. */
	private static void tellFirst(String what, String url) {
		Duration first = time(url);
		for (int i = 0; i < UNTIL_STEADY; i++) {
			time(url);
		}
		Duration[] later = new Duration[MEASURED];
		for (int i = 0; i < MEASURED; i++) {
			later[i] = time(url);
		}
		java.util.Arrays.sort(later);
		Duration steady = later[MEASURED / 2];
		Figures.tell("%s: first user request %.1f ms, steady p50 %.1f ms (%.1fx)", what, Figures.millis(first),
				Figures.millis(steady), Figures.ratio(first, steady));
	}

	private static Duration time(String url) {
		long start = System.nanoTime();
		assertThat(Answer.to("GET", url).status()).isEqualTo(200);
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
