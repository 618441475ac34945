package dev.warmup.bench.variant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The JDK's AOT caches of the gateway and the chat-service, for jars that are laid out
 * flat. Several variants may share one.
 */
final class AotCache {

	private static final int FIRST_JDK = 25;

	/** The registry serves no user. */
	private static final List<String> CACHED = List.of("gateway", "chat-service");

	private final Path root;

	private final Path directory;

	private final Path javaHome;

	private final Training training;

	private boolean prepared;

	/**
	 * Creates what is not yet trained.
	 * @param root the repository, with its jars packaged
	 * @param directory for the jars and the caches; emptied at first
	 * @param javaHome the JDK
	 * @param training what to train them with
	 */
	AotCache(Path root, Path directory, Path javaHome, Training training) {
		this.root = root.toAbsolutePath().normalize();
		this.directory = directory.toAbsolutePath().normalize();
		this.javaHome = javaHome;
		this.training = training;
	}

	/**
	 * Tells why there can be none.
	 * @return the reason, a sentence; empty when there can
	 */
	Optional<String> missing() {
		int version = JavaVersion.of(this.javaHome);
		if (version < FIRST_JDK) {
			return Optional.of("AOT caches need JDK %d or later, and this is JDK %d.".formatted(FIRST_JDK, version));
		}
		if (this.directory.toString().chars().anyMatch(Character::isWhitespace)) {
			return Optional.of("AOT caches need a path without blanks, and this is %s.".formatted(this.directory));
		}
		return Optional.empty();
	}

	/**
	 * Lays out the jars and trains the caches, the first time it is called. Blocks.
	 * @throws IllegalStateException when a cache was not written
	 */
	synchronized void prepare() {
		if (this.prepared) {
			return;
		}
		Layout.extract(this.root, this.directory, this.javaHome);
		Map<String, Path> caches = CACHED.stream().collect(Collectors.toMap(Function.identity(), this::cache));
		this.training.train(this.directory, caches);
		for (Path cache : caches.values()) {
			if (!Files.exists(cache)) {
				throw new IllegalStateException("training did not write " + cache);
			}
		}
		this.prepared = true;
	}

	/**
	 * What the stack is started with. A JVM that cannot use its cache does not start.
	 * @return environment variables for {@code ./stack}
	 */
	Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("STACK_JARS", this.directory.toString());
		settings.put("JAVA_OPTS", Training.JVM_OPTIONS);
		CACHED.forEach((service) -> settings.put(service.replace('-', '_').toUpperCase(Locale.ROOT) + "_OPTS",
				"-XX:AOTMode=on -XX:AOTCache=" + cache(service)));
		return settings;
	}

	private Path cache(String service) {
		return this.directory.resolve(service + ".aot");
	}

}
