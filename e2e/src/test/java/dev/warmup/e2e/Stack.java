package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One stack, driven by the repository's {@code ./stack} with a home, ports and settings
 * of its own. Closing it runs {@code ./stack down}; so does the end of this JVM.
 */
final class Stack implements AutoCloseable {

	/** Where Maven has packaged the jars. */
	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	private static final Duration LIMIT = Duration.ofMinutes(10);

	private static final List<String> NOT_INHERITED = List.of("WARMUP_", "STACK_", "SPRING_", "EUREKA_", "GATEWAY_",
			"CHAT_SERVICE_", "SERVER_", "MANAGEMENT_", "LOGGING_", "JAVA_");

	private final Path home;

	private final Path script;

	private final int gatewayPort = freePort();

	private final int eurekaPort = freePort();

	private final Map<String, String> settings;

	private final Thread atExit = new Thread(() -> run("down"));

	private Stack(Path home, Path script, Map<String, String> settings) {
		this.home = home;
		this.script = script;
		this.settings = settings;
	}

	/**
	 * Prepares a stack, and starts nothing.
	 * @param name names its home under {@code target}; what an earlier test run left
	 * running there is stopped
	 * @param settings environment variables, such as {@code WARMUP_IDLE_AFTER}
	 * @return the stack
	 */
	static Stack named(String name, Map<String, String> settings) {
		return named(name, ROOT, settings);
	}

	/**
	 * Prepares a stack whose script is called by another path.
	 * @param name as above
	 * @param root the path to the repository
	 * @param settings as above
	 * @return the stack
	 */
	static Stack named(String name, Path root, Map<String, String> settings) {
		Stack stack = new Stack(directory().resolve(name), root.resolve("stack"), settings);
		stack.run("down");
		Runtime.getRuntime().addShutdownHook(stack.atExit);
		return stack;
	}

	/**
	 * Where tests may write.
	 * @return a directory under {@code target}
	 */
	static Path directory() {
		try {
			return Files.createDirectories(Path.of("target", "e2e").toAbsolutePath());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Finds a port that nobody listens on.
	 * @return the port
	 */
	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Runs {@code ./stack} to its end.
	 * @param arguments what to tell it
	 * @return how it ended
	 * @throws IllegalStateException when it did not end within minutes
	 */
	Outcome run(String... arguments) {
		Path output = outputOf(arguments[0]);
		Process process = start(output, arguments);
		try {
			if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				process.destroy();
				throw new IllegalStateException("./stack does not end:\n" + Files.readString(output));
			}
			return new Outcome(process.exitValue(), Files.readString(output));
		}
		catch (InterruptedException ex) {
			process.destroy();
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts {@code ./stack}, and leaves it running.
	 * @param output where it shall print
	 * @param arguments what to tell it
	 * @return its process
	 */
	Process start(Path output, String... arguments) {
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of("bash", this.script.toString()), Stream.of(arguments)).toList());
		Map<String, String> environment = builder.environment();
		environment.keySet().removeIf((key) -> NOT_INHERITED.stream().anyMatch(key::startsWith));
		environment.put("JAVA_HOME", System.getProperty("java.home"));
		environment.put("STACK_HOME", this.home.toString());
		environment.put("STACK_BUILD", "never");
		// well within the limit above, so that it can tell why
		environment.put("STACK_WAIT", "230");
		environment.put("GATEWAY_PORT", Integer.toString(this.gatewayPort));
		environment.put("EUREKA_PORT", Integer.toString(this.eurekaPort));
		environment.putAll(this.settings);
		try {
			return builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The rows of {@code ./stack status}.
	 * @return the rows by process name, such as {@code chat-service-1}
	 */
	Map<String, Row> status() {
		Map<String, Row> rows = new TreeMap<>();
		Matcher row = Row.SHAPE.matcher(run("status").output());
		while (row.find()) {
			rows.put(row.group(1), new Row(Long.parseLong(row.group(2)), Integer.parseInt(row.group(3)), row.group(4)));
		}
		return rows;
	}

	/**
	 * What a process has logged so far.
	 * @param process its name
	 * @return the log; empty when there is none
	 */
	String log(String process) {
		Path log = this.home.resolve("logs").resolve(process + ".log");
		try {
			return Files.exists(log) ? Files.readString(log) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Asks as a user does, through the gateway.
	 * @param path the path at the gateway
	 * @return the answer
	 */
	Answer get(String path) {
		return Answer.to("GET", gateway(path));
	}

	/**
	 * An address at the gateway.
	 * @param path the path
	 * @return the URL
	 */
	String gateway(String path) {
		return "http://127.0.0.1:" + this.gatewayPort + path;
	}

	/**
	 * An address at a process, past the gateway.
	 * @param process its name
	 * @param path the path
	 * @return the URL
	 */
	String direct(String process, String path) {
		Row row = status().get(process);
		if (row == null) {
			throw new IllegalStateException(process + " does not run");
		}
		return "http://127.0.0.1:" + row.port() + path;
	}

	int gatewayPort() {
		return this.gatewayPort;
	}

	int eurekaPort() {
		return this.eurekaPort;
	}

	Path outputOf(String command) {
		return directory().resolve(this.home.getFileName() + "-" + command + ".out");
	}

	@Override
	public void close() {
		run("down");
		Runtime.getRuntime().removeShutdownHook(this.atExit);
	}

	/**
	 * A row of {@code ./stack status}.
	 *
	 * @param pid the process's id
	 * @param port where it listens
	 * @param phase how it is, such as {@code WARM}
	 */
	record Row(long pid, int port, String phase) {

		private static final Pattern SHAPE = Pattern
			.compile("(?m)^(\\S+) +(\\d+) +(\\d+) +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +(.+)$");

	}

}
