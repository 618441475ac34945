package dev.warmup.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.Answer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * {@code ./stack} besides warm-up: it ends its own processes, all of them, and no others.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LauncherIT {

	private static final Map<String, String> UNWARMED = Map.of("WARMUP_ENABLED", "false", "JAVA_OPTS",
			"-Xmx512m -XX:TieredStopAtLevel=1");

	private static final Duration SOON = Duration.ofMinutes(2);

	private static final Pattern IGNORED = Pattern.compile("(?m)^SigIgn:\\s*(\\p{XDigit}+)$");

	private static final long SIGINT = 1 << (2 - 1);

	@Test
	void runsFromAPathWithBlanksBesideAnotherProcessAndReportsWhatEnded() throws IOException {
		Path root = Stacks.directory("links").resolve("a path & more");
		Files.createSymbolicLink(root, Stacks.ROOT);
		try (Launcher stack = new Launcher("a home & more", root, UNWARMED)) {
			Launcher.Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).as(up.output()).isZero();
			assertThat(stack.processes()).containsOnlyKeys("eureka-server", "gateway", "chat-service-1");
			Launcher.Launched gateway = stack.gateway();
			await().atMost(SOON).until(() -> gateway.get(Stacks.ROOMS).status() == 200);

			Launcher.Outcome again = stack.run("up", "--detach");
			assertThat(again.exitCode()).isOne();
			assertThat(again.output()).contains("already up");
			assertThat(stack.run("logs", "gatway").output()).contains("no such service: gatway");

			Launcher.Outcome restart = stack.run("restart", "gateway");
			assertThat(restart.exitCode()).as(restart.output()).isZero();
			assertThat(gateway.isAlive()).isFalse();
			assertThat(stack.gateway().port()).isEqualTo(gateway.port());

			stack.services().get(0).handle().destroyForcibly();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(stack.run("status").output())
					.containsPattern("chat-service-1 .* ended by itself"));
			assertThat(stack.run("status").exitCode()).isOne();
			Launcher.Outcome scale = stack.run("scale", "1");
			assertThat(scale.exitCode()).as(scale.output()).isZero();

			Map<String, Launcher.Launched> processes = stack.processes();
			Launcher.Outcome down = stack.run("down");
			assertThat(down.exitCode()).as(down.output()).isZero();
			assertThat(processes.values()).hasSize(3).noneMatch(Launcher.Launched::isAlive);
			assertThat(stack.run("status").output()).contains("not running");
		}
	}

	@Test
	void neverEndsAProcessThatOnlyHasTheIdOfOneItStarted() throws IOException {
		Process other = new ProcessBuilder("sleep", "600").start();
		try (Launcher stack = new Launcher("other", Stacks.ROOT, UNWARMED)) {
			Files.writeString(stack.home().resolve("gateway.pid"), other.pid() + " 1 a-start-long-ago\n");
			assertThat(stack.run("down").exitCode()).isZero();
			assertThat(other.isAlive()).isTrue();
		}
		finally {
			other.destroyForcibly();
		}
	}

	@Test
	void endsWhatItStartedWhenInterrupted() throws IOException, InterruptedException {
		String signal = ignoresInterrupts() ? "TERM" : "INT";
		try (Launcher stack = new Launcher("interrupted", Stacks.ROOT, UNWARMED)) {
			Path output = stack.output("up-in-foreground");
			Process up = stack.start(output, "up");
			await().atMost(SOON).until(() -> Files.readString(output).contains("Ctrl-C stops it"));
			Map<String, Launcher.Launched> processes = stack.processes();
			assertThat(processes.values()).hasSize(3).allMatch(Launcher.Launched::isAlive);
			interrupt(up, signal);
			assertThat(up.exitValue()).as(Files.readString(output)).isZero();
			assertThat(processes.values()).noneMatch(Launcher.Launched::isAlive);
		}
		try (Launcher stack = new Launcher("interrupted-while-starting", Stacks.ROOT, UNWARMED)) {
			Process up = stack.start(stack.output("up-in-foreground"), "up");
			await().atMost(SOON).until(() -> stack.processes().size() >= 2);
			Map<String, Launcher.Launched> processes = stack.processes();
			interrupt(up, signal);
			assertThat(up.exitValue()).isEqualTo(130);
			assertThat(processes.values()).noneMatch(Launcher.Launched::isAlive);
			assertThat(stack.processes()).isEmpty();
		}
	}

	private static void interrupt(Process up, String signal) throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + signal, Long.toString(up.pid())).start().waitFor();
		assertThat(up.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	/** A background job of a shell ignores Ctrl-C, and so do its children. */
	private static boolean ignoresInterrupts() throws IOException {
		Path status = Path.of("/proc/self/status");
		if (Files.notExists(status)) {
			return false;
		}
		Matcher ignored = IGNORED.matcher(Files.readString(status));
		return ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) & SIGINT) != 0;
	}

	@Test
	void namesThePortThatIsTakenAndEndsWhatItStarted() throws IOException {
		try (Launcher stack = new Launcher("port-taken", Stacks.ROOT, UNWARMED);
				ServerSocket other = new ServerSocket(stack.port("GATEWAY_PORT"), 1,
						InetAddress.getLoopbackAddress())) {
			Launcher.Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).isOne();
			assertThat(up.output()).contains("port " + other.getLocalPort(), "GATEWAY_PORT");
			assertThat(stack.processes()).isEmpty();
			assertThat(Answer.to("GET", "http://127.0.0.1:" + stack.port("EUREKA_PORT")).status()).isZero();
		}
	}

	@Test
	void showsWhyAServiceDidNotStart() throws IOException {
		Path catalog = Files.writeString(Stacks.directory("no-catalog").resolve("broken.yml"), "version: one\n");
		try (Launcher stack = new Launcher("broken-catalog-up", Stacks.ROOT,
				Map.of("WARMUP_CATALOG", catalog.toUri().toString()))) {
			Launcher.Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).isOne();
			assertThat(up.output()).contains("APPLICATION FAILED TO START", "broken.yml:1:", "chat-service-1 ended");
			assertThat(stack.processes()).isEmpty();
		}
	}

	@Test
	void waitsForTheReportOfEachInstanceOfARollingRestart() throws IOException {
		Path home = Stacks.directory("java-home");
		executable(home.resolve("bin/java"), """
				[ "$1" != -version ] || exec '%1$s' -version
				exec '%1$s' -cp '%2$s' '%3$s' "$@"
				""".formatted(Stacks.java(), Path.of("target", "test-classes").toAbsolutePath(),
				ReportedLate.class.getName()));
		try (Launcher stack = new Launcher("reported-late", Stacks.ROOT, Map.of("JAVA_HOME", home.toString()))) {
			Launcher.Outcome up = stack.run("up", "--detach");
			assertThat(up.exitCode()).as(up.output()).isZero();
			assertThat(up.output()).contains("WARM");
			Launcher.Outcome scale = stack.run("scale", "2");
			assertThat(scale.exitCode()).as(scale.output()).isZero();
			Launcher.Outcome restart = stack.run("restart", "chat-service");
			assertThat(restart.exitCode()).as(restart.output()).isZero();
		}
	}

	/** Ready at once, and WARM by the gateway's log six seconds later. */
	static final class ReportedLate {

		private ReportedLate() {
		}

		public static void main(String[] arguments) throws IOException {
			InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
					Integer.parseInt(System.getenv("SERVER_PORT")));
			HttpServer server = HttpServer.create(address, 0);
			server.createContext("/", (exchange) -> {
				exchange.sendResponseHeaders(200, -1);
				exchange.close();
			});
			server.start();
			if (arguments[arguments.length - 1].endsWith("chat-service.jar")) {
				LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(6));
				Files.writeString(Path.of(System.getenv("STACK_HOME"), "gateway.log"),
						"now dev.warmup.status : chat-service/127.0.0.1:%d WARM%n".formatted(address.getPort()),
						StandardOpenOption.APPEND);
			}
		}

	}

	@Test
	void extractsAJarAgainWhoseExtractionWasInterrupted() throws IOException, InterruptedException {
		Path directory = Stacks.directory("interrupted-extraction");
		Path java = executable(directory.resolve("java"), """
				[ "$1" != -version ] || exit 0
				mkdir "$6" || exit 1
				[ -e "$0.interrupted" ] || { touch "$0.interrupted"; exit 130; }
				cp "$3" "$6"
				""");
		Path jar = Files.createFile(directory.resolve("service.jar"));
		Path caches = Files.createDirectory(directory.resolve("caches"));
		ProcessBuilder cache = new ProcessBuilder("bash", Stacks.ROOT.resolve("docker/cache").toString(),
				java.toString(), jar.toString(), caches.toString());
		assertThat(cache.start().waitFor()).isEqualTo(130);
		Process again = cache.start();
		String output = new String(again.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(again.waitFor()).isZero();
		assertThat(Path.of(output.strip().split(" ", 2)[1])).isRegularFile();
	}

	private static Path executable(Path file, String script) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, "#!/bin/sh\n" + script);
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

	@Test
	void refusesWrongUsage() {
		try (Launcher stack = new Launcher("usage", Stacks.ROOT, UNWARMED)) {
			assertThat(stack.run("upp").exitCode()).isEqualTo(2);
			assertThat(stack.run("up", "--now").exitCode()).isEqualTo(2);
			assertThat(stack.run("scale", "2").output()).contains("not running");
			assertThat(stack.run("help").output()).contains("./stack scale N");
		}
	}

}
