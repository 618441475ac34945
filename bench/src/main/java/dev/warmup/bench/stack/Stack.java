package dev.warmup.bench.stack;

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
public final class Stack implements AutoCloseable {

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
	 * Prepares a stack, and starts nothing. What an earlier one left running in the same
	 * home is stopped.
	 * @param script the path to the repository's {@code stack}
	 * @param home where it keeps its state and logs
	 * @param settings environment variables, such as {@code WARMUP_IDLE_AFTER}; a
	 * {@code JAVA_HOME} among them is the JDK it runs on, else this JVM's
	 * @return the stack
	 */
	public static Stack prepare(Path script, Path home, Map<String, String> settings) {
		Stack stack = new Stack(home, script, settings);
		stack.run("down");
		Runtime.getRuntime().addShutdownHook(stack.atExit);
		return stack;
	}

	/**
	 * Finds a port that nobody listens on.
	 * @return the port
	 */
	public static int freePort() {
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
	public Outcome run(String... arguments) {
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
	public Process start(Path output, String... arguments) {
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of("bash", this.script.toString()), Stream.of(arguments)).toList());
		Map<String, String> environment = builder.environment();
		environment.keySet().removeIf((key) -> NOT_INHERITED.stream().anyMatch(key::startsWith));
		environment.put("JAVA_HOME", System.getProperty("java.home"));
		environment.put("STACK_HOME", this.home.toString());
		environment.put("STACK_BUILD", "never");
		environment.put("STACK_AOT", "never"); // unless the settings name one
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
	public Map<String, Row> status() {
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
	public String log(String process) {
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
	public Answer get(String path) {
		return Answer.to("GET", gateway(path));
	}

	/**
	 * An address at the gateway.
	 * @param path the path
	 * @return the URL
	 */
	public String gateway(String path) {
		return "http://127.0.0.1:" + this.gatewayPort + path;
	}

	/**
	 * An address at a process, past the gateway.
	 * @param process its name
	 * @param path the path
	 * @return the URL
	 */
	public String direct(String process, String path) {
		Row row = status().get(process);
		if (row == null) {
			throw new IllegalStateException(process + " does not run");
		}
		return "http://127.0.0.1:" + row.port() + path;
	}

	/**
	 * Where users enter.
	 * @return the port
	 */
	public int gatewayPort() {
		return this.gatewayPort;
	}

	/**
	 * Where the registry listens.
	 * @return the port
	 */
	public int eurekaPort() {
		return this.eurekaPort;
	}

	/**
	 * What a command printed.
	 * @param command such as {@code up}
	 * @return the file
	 */
	public Path outputOf(String command) {
		return this.home.resolveSibling(this.home.getFileName() + "-" + command + ".out");
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
	public record Row(long pid, int port, String phase) {

		private static final Pattern SHAPE = Pattern
			.compile("(?m)^(\\S+) +(\\d+) +(\\d+) +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +(.+)$");

	}

}
