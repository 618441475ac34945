package dev.warmup.bench.variant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Stack;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * Where a benchmark takes place; all paths are absolute. All variants run extracted jars,
 * as containers do and an AOT cache requires.
 *
 * @param root the repository's root, with its jars packaged
 * @param work a directory for everything generated
 * @param javaHome the JDK of all stacks
 * @param quick whether to show that everything works instead of measuring well
 */
public record Site(Path root, Path work, Path javaHome, boolean quick) {

	/**
	 * Extracts the packaged jars. Blocks.
	 * @throws IllegalStateException when a jar is missing or cannot be extracted
	 */
	public void extractJars() {
		for (String service : List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE)) {
			Path jar = this.root.resolve(service).resolve("target").resolve(service + ".jar");
			run(Duration.ofMinutes(2), List.of(java(), "-Djarmode=tools", "-jar", jar.toString(), "extract", "--force",
					"--destination", jars().resolve(service).toString()));
		}
	}

	/**
	 * Prepares a stack of the extracted jars, with its logs in a directory of its own.
	 * @param name names the directory
	 */
	public Stack.Builder stack(String name) {
		return Stack.in(this.work.resolve(name), jars())
			.javaHome(this.javaHome)
			.jvm(Stack.REGISTRY, "-XX:TieredStopAtLevel=1"); // it is not measured
	}

	Path jars() {
		return this.work.resolve("jars");
	}

	String java() {
		return this.javaHome.resolve("bin/java").toString();
	}

	/** The feature release of the JDK. */
	int javaVersion() {
		return Runtime.Version.parse(release("JAVA_VERSION")).feature();
	}

	/** A value of the JDK's file {@code release}, such as {@code IMPLEMENTOR}. */
	public String release(String key) {
		try {
			return PropertiesLoaderUtils.loadProperties(new FileSystemResource(this.javaHome.resolve("release")))
				.getProperty(key, "unknown")
				.replace("\"", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Runs a command to its end. Blocks.
	 * @throws IllegalStateException with what it printed, when it fails or takes too long
	 */
	public void run(Duration limit, List<String> command) {
		try {
			Files.createDirectories(this.work);
			Path log = Files.createTempFile(this.work, "command", ".log");
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			boolean ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
			process.destroyForcibly();
			String output = Files.readString(log);
			Files.delete(log);
			if (!ended || process.exitValue() != 0) {
				throw new IllegalStateException(
						"%s failed, or took more than %s: %s".formatted(command, limit, output));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
