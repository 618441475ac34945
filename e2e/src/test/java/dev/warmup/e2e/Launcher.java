package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;

/**
 * The repository's {@code ./stack}, with a home and ports of its own. Processes are found
 * by the files in which it keeps their ids. Closing it stops them.
 */
final class Launcher implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(10);

	/** From a process's port to that of its actuator. */
	static final int MANAGEMENT = 1000;

	private static final int HIGHEST = 65_535;

	private static final List<String> NOT_INHERITED = List.of("WARMUP_", "STACK_", "SPRING_", "EUREKA_", "GATEWAY_",
			"CHAT_SERVICE_", "SERVER_", "MANAGEMENT_", "LOGGING_", "JAVA_");

	private final Path home;

	private final Path script;

	private final Map<String, String> environment;

	/**
	 * Starts nothing.
	 * @param name names its home under {@code target/e2e}
	 * @param root the path to the repository
	 * @param settings environment variables, such as {@code WARMUP_IDLE_AFTER}
	 */
	Launcher(String name, Path root, Map<String, String> settings) {
		this.home = Stacks.directory(name);
		this.script = root.resolve("stack");
		this.environment = new HashMap<>(Map.of("STACK_HOME", this.home.toString(), "STACK_JARS",
				Stacks.jars().toString(), "STACK_WAIT", "400", "JAVA_HOME", System.getProperty("java.home"),
				"GATEWAY_PORT", freePorts(), "EUREKA_PORT", freePorts()));
		this.environment.putAll(settings);
	}

	private static String freePorts() {
		int port = App.freePort();
		return (port <= HIGHEST - MANAGEMENT && isFree(port + MANAGEMENT)) ? Integer.toString(port) : freePorts();
	}

	private static boolean isFree(int port) {
		try {
			new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Runs a command to its end.
	 * @param arguments the command and its arguments
	 * @return its exit code and output
	 */
	Outcome run(String... arguments) {
		Path output = output(arguments[0]);
		Process process = start(output, arguments);
		try {
			if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				process.destroy();
				throw new IllegalStateException("./stack does not end:\n" + Files.readString(output));
			}
			return new Outcome(process.exitValue(), Files.readString(output));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			process.destroy();
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Starts a command and leaves it running.
	 * @param output the file for what it prints
	 * @param arguments the command and its arguments
	 * @return its process
	 */
	Process start(Path output, String... arguments) {
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of("bash", this.script.toString()), Stream.of(arguments)).toList());
		builder.environment().keySet().removeIf((key) -> NOT_INHERITED.stream().anyMatch(key::startsWith));
		builder.environment().putAll(this.environment);
		try {
			return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Path output(String command) {
		return this.home.resolveSibling(this.home.getFileName() + "-" + command + ".out");
	}

	/**
	 * The processes it started.
	 * @return the processes by name, such as {@code chat-service-1}
	 */
	Map<String, Launched> processes() {
		Map<String, Launched> processes = new TreeMap<>();
		try (Stream<Path> files = Files.list(this.home)) {
			for (Path file : files.filter((each) -> each.toString().endsWith(".pid")).toList()) {
				String[] fields = Files.readString(file).split(" ");
				processes.put(file.getFileName().toString().replace(".pid", ""),
						new Launched(Long.parseLong(fields[0]), Integer.parseInt(fields[1])));
			}
			return processes;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The instances of chat-service.
	 * @return the processes, the oldest first
	 */
	List<Launched> services() {
		return processes().entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith("chat-service"))
			.map(Map.Entry::getValue)
			.toList();
	}

	Launched gateway() {
		return processes().get("gateway");
	}

	Path home() {
		return this.home;
	}

	Path log(String process) {
		return this.home.resolve(process + ".log");
	}

	int port(String variable) {
		return Integer.parseInt(this.environment.get(variable));
	}

	@Override
	public void close() {
		if (!processes().isEmpty()) {
			run("down");
		}
	}

	/**
	 * How a command ended.
	 *
	 * @param exitCode its exit code
	 * @param output what it printed, errors included
	 */
	record Outcome(int exitCode, String output) {

	}

	/**
	 * A process.
	 *
	 * @param pid its id
	 * @param port its port on the loopback address
	 */
	record Launched(long pid, int port) {

		String url(String path) {
			return "http://127.0.0.1:" + this.port + path;
		}

		/** Requests {@code /actuator} at the management port, all else at the port. */
		Answer get(String path) {
			return Answer.to("GET",
					path.startsWith("/actuator") ? "http://127.0.0.1:" + (this.port + MANAGEMENT) + path : url(path));
		}

		ProcessHandle handle() {
			return ProcessHandle.of(this.pid).orElseThrow();
		}

		/** One that has ended and waits for init to take note of it has no command. */
		boolean isAlive() {
			return ProcessHandle.of(this.pid)
				.filter(ProcessHandle::isAlive)
				.flatMap((process) -> process.info().command())
				.isPresent();
		}

	}

}
