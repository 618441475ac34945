package dev.warmup.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where things are.
 *
 * @param root the repository
 * @param javaHome the JDK that the stacks run on
 * @param results where the results go
 */
record Places(Path root, Path javaHome, Path results) {

	/**
	 * Reads the environment.
	 * @param directory where the benchmark was started
	 * @param environment {@code JAVA_HOME} and {@code BENCH_RESULTS} count; one that is
	 * empty counts as not set
	 * @param quick whether the results are not meant to be published
	 * @param name of the results, beside others that are published
	 * @return the places; without {@code JAVA_HOME} the JDK is the client's
	 * @throws IllegalArgumentException when the directory is not the repository, or there
	 * is no JDK; the message is for the user
	 */
	static Places of(Path directory, Map<String, String> environment, boolean quick, String name) {
		Path root = directory.toAbsolutePath().normalize();
		if (!Files.exists(root.resolve("stack"))) {
			throw new IllegalArgumentException("this is not the repository: there is no ./stack");
		}
		Path javaHome = Path.of(given(environment, "JAVA_HOME").orElseGet(() -> System.getProperty("java.home")));
		if (!Files.isExecutable(javaHome.resolve("bin/java"))) {
			throw new IllegalArgumentException("JAVA_HOME=" + javaHome + " has no bin/java");
		}
		return new Places(root, javaHome.toAbsolutePath(), root.resolve(
				given(environment, "BENCH_RESULTS").orElse(quick ? "bench/target/results" : "bench/results/" + name)));
	}

	private static Optional<String> given(Map<String, String> environment, String name) {
		return Optional.ofNullable(environment.get(name)).filter((value) -> !value.isBlank());
	}

	/**
	 * Where stacks keep their state and logs.
	 * @return the directory
	 */
	Path work() {
		return this.root.resolve("bench/target/work");
	}

	/**
	 * What users ask for.
	 * @return the catalog
	 */
	Path catalog() {
		return this.root.resolve("chat-service/src/main/resources/warmup-requests.yml");
	}

}
