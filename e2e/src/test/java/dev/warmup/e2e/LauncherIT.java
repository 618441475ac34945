package dev.warmup.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** What {@code ./stack} promises beside warm-up: it keeps to its own, and cleans up. */
class LauncherIT {

	private static final Duration SOON = Duration.ofMinutes(2);

	private static final Pattern IGNORED = Pattern.compile("(?m)^SigIgn:\\s*(\\p{XDigit}+)$");

	private static final long SIGINT = 1 << (2 - 1);

	private static Stack neighbour;

	@BeforeAll
	static void startNeighbour() {
		neighbour = Stacks.named("neighbour", Map.of());
		Outcome up = neighbour.run("up", "--detach", "--without", "gateway", "--without", "chat-service");
		assertThat(up.exitCode()).as(up.output()).isZero();
	}

	@AfterAll
	static void stopNeighbour() {
		neighbour.close();
	}

	@Test
	void runsBesideAnotherStackFromAPathWithSpacesAndEndsItsOwnOnly() throws IOException {
		Path root = Stacks.directory().resolve("a path & more");
		Files.deleteIfExists(root);
		Files.createSymbolicLink(root, Stacks.ROOT);
		Map<String, Stack.Row> before = neighbour.status();
		assertThat(before).containsKey("eureka-server");

		try (Stack stack = Stacks.named("with spaces", root, Map.of("WARMUP_ENABLED", "false"))) {
			Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).as(up.output()).isZero();
			assertThat(stack.status()).hasSize(3);
			assertThat(stack.get("/chat-service/rooms").status()).isEqualTo(200);
			assertThat(stack.log("gateway")).doesNotContain("dev.warmup.status");

			Outcome again = stack.run("up", "--detach");
			assertThat(again.exitCode()).isOne();
			assertThat(again.output()).contains("already up");

			Outcome down = stack.run("down");
			assertThat(down.exitCode()).as(down.output()).isZero();
			assertThat(stack.run("status").output()).contains("not running");
			assertThat(stack.get("/").status()).isZero();
		}
		finally {
			Files.delete(root);
		}
		assertThat(neighbour.status()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "INT", "TERM" })
	void cleansUpWhenInterrupted(String signal) throws IOException, InterruptedException {
		assumeThat(signal.equals("INT") && ignoresInterrupts()).as("a build in the background that ignores Ctrl-C")
			.isFalse();
		try (Stack stack = Stacks.named("interrupted", Map.of())) {
			Path output = stack.outputOf("up-" + signal);
			Process up = stack.start(output, "up", "--without", "gateway", "--without", "chat-service");
			await().atMost(SOON).until(() -> Files.readString(output).contains("Ctrl-C stops it"));
			long eureka = stack.status().get("eureka-server").pid();
			assertThat(ProcessHandle.of(eureka)).isPresent();

			new ProcessBuilder("kill", "-" + signal, Long.toString(up.pid())).start().waitFor();
			assertThat(up.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(up.exitValue()).as(Files.readString(output)).isZero();
			await().atMost(SOON).until(() -> ProcessHandle.of(eureka).filter(ProcessHandle::isAlive).isEmpty());
			assertThat(stack.status()).isEmpty();
		}
	}

	/** What was so started cannot have its children not ignore it. */
	private static boolean ignoresInterrupts() throws IOException {
		Path status = Path.of("/proc/self/status");
		if (Files.notExists(status)) {
			return false;
		}
		Matcher ignored = IGNORED.matcher(Files.readString(status));
		return ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) & SIGINT) != 0;
	}

	@Test
	void namesThePortThatIsTaken() throws IOException {
		try (Stack stack = Stacks.named("port-taken", Map.of());
				ServerSocket other = new ServerSocket(stack.gatewayPort(), 1, InetAddress.getLoopbackAddress())) {
			Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).isOne();
			assertThat(up.output()).contains("port " + other.getLocalPort(), "GATEWAY_PORT");
			assertThat(stack.status()).isEmpty();
		}
	}

	@Test
	void tellsAServiceThatEndsByItself() {
		try (Stack stack = Stacks.named("crash", Map.of())) {
			stack.run("up", "--detach", "--without", "gateway", "--without", "chat-service");
			ProcessHandle.of(stack.status().get("eureka-server").pid()).ifPresent(ProcessHandle::destroyForcibly);
			await().atMost(SOON)
				.untilAsserted(
						() -> assertThat(stack.status().get("eureka-server").phase()).isEqualTo("ended by itself"));
			assertThat(stack.run("status").exitCode()).isOne();
		}
	}

}
