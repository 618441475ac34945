package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Stack;

/** One more gateway beside the one of a stack, from the same jar. Closing it ends it. */
final class OtherGateway implements AutoCloseable {

	private static final int GRACE = 20;

	private final int port = Stack.freePort();

	private final Path log;

	private final Process process;

	private final Thread atExit;

	private OtherGateway(Stack stack, String name, Map<String, String> settings) {
		Path directory = Stacks.directory();
		this.log = directory.resolve(name + ".log");
		Path jar = directory.resolve(name + ".jar");
		try {
			Files.copy(Stacks.ROOT.resolve("gateway/target/gateway.jar"), jar, StandardCopyOption.REPLACE_EXISTING);
			ProcessBuilder builder = new ProcessBuilder(
					Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-jar",
					jar.toString());
			Map<String, String> environment = builder.environment();
			environment.putAll(settings);
			environment.put("SERVER_PORT", Integer.toString(this.port));
			environment.put("SERVER_ADDRESS", "127.0.0.1");
			environment.put("EUREKA_URL", "http://127.0.0.1:" + stack.eurekaPort() + "/eureka/");
			environment.put("EUREKA_INSTANCE_PREFER_IP_ADDRESS", "true");
			environment.put("EUREKA_INSTANCE_IP_ADDRESS", "127.0.0.1");
			environment.put("EUREKA_INSTANCE_INSTANCE_ID", "127.0.0.1:" + this.port);
			this.process = builder.redirectErrorStream(true).redirectOutput(this.log.toFile()).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.atExit = new Thread(this.process::destroy);
		Runtime.getRuntime().addShutdownHook(this.atExit);
	}

	/**
	 * Starts one, and does not wait for it.
	 * @param stack whose registry it shall join
	 * @param name names its log under {@code target/e2e}
	 * @param settings environment variables
	 * @return the process
	 */
	static OtherGateway beside(Stack stack, String name, Map<String, String> settings) {
		return new OtherGateway(stack, name, settings);
	}

	String url(String path) {
		return "http://127.0.0.1:" + this.port + path;
	}

	String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Ends it without a word, as a crash does. */
	void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(GRACE, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		Runtime.getRuntime().removeShutdownHook(this.atExit);
	}

}
