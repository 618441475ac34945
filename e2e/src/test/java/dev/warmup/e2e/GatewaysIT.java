package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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

	private static final Path CLASSES = Stacks.directory().resolve("gateway-classes.log");

	/** The library's own. */
	private static final Pattern LAMBDA = Pattern.compile("class,load\\] (dev\\.warmup\\.(?!example)\\S+\\$\\$Lambda)");

	private static Stack stack;

	@BeforeAll
	static void start() {
		Map<String, String> settings = new HashMap<>(SETTINGS);
		settings.put("GATEWAY_OPTS", "-Xlog:class+load:file=" + CLASSES + "::filecount=0");
		stack = Stacks.timed("gateways", settings);
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

	/** See docs/decisions/0019-users-way.md. */
	@Test
	void nothingOfTheLibraryIsLinkedWhileTheFirstUserWaits() throws IOException {
		Outcome restart = stack.run("restart", "gateway");
		assertThat(restart.exitCode()).as(restart.output()).isZero();
		awaitReady(stack.gateway("/.warmup/ready"));
		int told = stack.log("gateway").length();
		List<String> before = lambdas();
		time(stack.gateway(ROOMS));
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(stack.log("gateway").substring(told))
				.contains("first user request after warm-up"));
		List<String> after = lambdas();
		assertThat(before).as("lambdas made before").isNotEmpty();
		assertThat(after.subList(before.size(), after.size())).as("lambdas made for the first user").isEmpty();
	}

	private static List<String> lambdas() throws IOException {
		return LAMBDA.matcher(Files.readString(CLASSES)).results().map((result) -> result.group(1)).toList();
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
		try (Stack empty = Stacks.timed("gateway-alone", SETTINGS)) {
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
		return Answer.to("GET", service).<List<?>>read("$.runs").size();
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
