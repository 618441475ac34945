package dev.warmup.bench.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * One application of the stack: a jar run as a process of its own, at a fixed port on the
 * loopback address. It can be stopped, killed, paused and started again; its log file
 * holds the output of all its starts. Not thread-safe.
 */
public final class App {

	private static final Duration GRACE = Duration.ofSeconds(30);

	private static final List<String> NOT_INHERITED = List.of("WARMUP_", "SPRING_", "EUREKA_", "GATEWAY_", "SERVER_",
			"MANAGEMENT_", "LOGGING_", "JAVA_", "JDK_");

	private static final Set<Integer> RETURNED = ConcurrentHashMap.newKeySet();

	private final String name;

	private final int port;

	private final int managementPort = freePort();

	private final Path directory;

	private final List<String> command;

	private final List<String> arguments;

	private Process process;

	private Instant started = Instant.now();

	/** Starts the application. Returns at once. */
	App(String name, int port, Path directory, List<String> command, List<String> arguments) {
		this.name = name;
		this.port = port;
		this.directory = directory;
		this.command = List.copyOf(command);
		this.arguments = List.copyOf(arguments);
		this.process = launch();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> this.process.destroyForcibly()));
	}

	private Process launch() {
		List<String> line = new ArrayList<>(this.command);
		line.addAll(List.of("--server.port=" + this.port, "--server.address=127.0.0.1",
				"--management.server.port=" + this.managementPort, "--management.server.address=127.0.0.1"));
		line.addAll(this.arguments);
		ProcessBuilder builder = new ProcessBuilder(line).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
		builder.environment().keySet().removeIf((key) -> NOT_INHERITED.stream().anyMatch(key::startsWith));
		try {
			Files.createDirectories(this.directory);
			this.started = Instant.now();
			return builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String name() {
		return this.name;
	}

	/**
	 * A port that is free, below those that Linux takes for outgoing connections; each
	 * only once, since an application takes its port only a while after its start.
	 */
	public static int freePort() {
		int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return RETURNED.add(socket.getLocalPort()) ? port : freePort();
		}
		catch (IOException ex) {
			return freePort(); // taken
		}
	}

	public int port() {
		return this.port;
	}

	public Instant started() {
		return this.started;
	}

	/** Whether the process is alive; a paused one is. */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** The processor time that the current process has used. */
	public Duration cpu() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	/** An address of this application, for {@code /actuator} at its management port. */
	public String url(String path) {
		return "http://127.0.0.1:" + (path.startsWith("/actuator") ? this.managementPort : this.port) + path;
	}

	public Answer get(String path) {
		return Answer.to("GET", url(path));
	}

	public Answer post(String path) {
		return Answer.to("POST", url(path));
	}

	public Answer post(String path, String json) {
		return Answer.toPost(url(path), json);
	}

	private Path log() {
		return this.directory.resolve(this.name + ".log");
	}

	/** The output of all starts so far. */
	public String logText() {
		try {
			return Files.exists(log()) ? Files.readString(log()) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until the log contains a match, as {@link #await} does. */
	public void awaitLog(String regex, Duration limit) {
		Pattern pattern = Pattern.compile(regex, Pattern.MULTILINE);
		await("the log line " + regex, limit, () -> pattern.matcher(logText()).find());
	}

	/** Waits until the application answers HTTP requests, warm or not. */
	public App awaitUp(Duration limit) {
		await("an answer", limit, () -> get("/.warmup/ready").status() != 0);
		return this;
	}

	/** Waits until {@code /.warmup/ready} reports that users may come. */
	public App awaitReady(Duration limit) {
		await("readiness", limit, () -> get("/.warmup/ready").status() == 200);
		return this;
	}

	/**
	 * Waits for a condition, which is checked every 50 ms as long as the process lives.
	 * @throws IllegalStateException with the end of the log, when the condition does not
	 * hold in time or the process ends
	 */
	public void await(String what, Duration limit, BooleanSupplier condition) {
		long end = System.nanoTime() + limit.toNanos();
		while (!condition.getAsBoolean()) {
			if (!isAlive() || System.nanoTime() > end) {
				throw new IllegalStateException("%s %s while waiting for %s:%n%s".formatted(this.name,
						isAlive() ? "took more than " + limit : "ended", what, lastLines()));
			}
			sleep(Duration.ofMillis(50));
		}
	}

	private String lastLines() {
		List<String> lines = logText().lines().toList();
		return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
	}

	public static void sleep(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public boolean stop() {
		return stop(GRACE);
	}

	/** By SIGTERM, then by SIGKILL. Returns whether it ended by itself. */
	public boolean stop(Duration grace) {
		this.process.destroy();
		boolean ended = ended(grace);
		kill();
		return ended;
	}

	public void kill() {
		this.process.destroyForcibly();
		if (!ended(GRACE)) {
			throw new IllegalStateException(this.name + " does not end");
		}
	}

	private boolean ended(Duration limit) {
		Process ended = this.process.onExit()
			.completeOnTimeout(this.process, limit.toNanos(), TimeUnit.NANOSECONDS)
			.join();
		return !ended.isAlive();
	}

	/** Pauses the process by SIGSTOP: it keeps its connections and does not answer. */
	public void pause() {
		signal("STOP");
	}

	/** Resumes a paused process by SIGCONT. */
	public void resume() {
		signal("CONT");
	}

	private void signal(String signal) {
		try {
			Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO()
				.start();
			if (kill.onExit().join().exitValue() != 0) {
				throw new IllegalStateException("cannot send SIG%s to %s".formatted(signal, this.name));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Stops the application if it is alive, and starts it again at the same port. */
	public void restart() {
		stop();
		this.process = launch();
	}

	@Override
	public String toString() {
		return this.name + " at " + url("");
	}

}
