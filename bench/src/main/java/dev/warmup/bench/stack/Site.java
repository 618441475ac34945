package dev.warmup.bench.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * Where a benchmark takes place; all paths are absolute. All variants run extracted jars,
 * as containers do and an AOT cache requires.
 *
 * @param root the repository's root, with its jars packaged
 * @param work a directory for everything generated
 * @param javaHome the JDK of all stacks
 */
public record Site(Path root, Path work, Path javaHome) {

	/** Extracts the packaged jars. Blocks. */
	public void extractJars() {
		for (String service : List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE)) {
			Path jar = this.root.resolve(service).resolve("target").resolve(service + ".jar");
			run(List.of(this.javaHome.resolve("bin/java").toString(), "-Djarmode=tools", "-jar", jar.toString(),
					"extract", "--force", "--destination", this.work.resolve("jars").resolve(service).toString()));
		}
	}

	/**
	 * Prepares a stack of the extracted jars, with its logs in a directory of its own.
	 */
	public Stack.Builder stack(String name) {
		return Stack.in(this.work.resolve(name), this.work.resolve("jars"))
			.javaHome(this.javaHome)
			.jvm(Stack.REGISTRY, "-XX:TieredStopAtLevel=1"); // it is not measured
	}

	/** The feature release of the JDK. */
	public int javaVersion() {
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
	 * @throws IllegalStateException when it fails, with what it printed
	 */
	public void run(List<String> command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.onExit().join().exitValue() != 0) {
				throw new IllegalStateException("%s failed: %s".formatted(command, output));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
