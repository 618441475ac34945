package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.warmup.bench.stack.Stack;

/** The stacks of these tests: what they start from, and where they write. */
final class Stacks {

	/** Where Maven has packaged the jars. */
	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	/** Warm is what was repeated as often as a test asks for. */
	private static final Map<String, String> COUNTED = Map.of("WARMUP_STEADY_TOLERANCE", "1000",
			"WARMUP_STEADY_MAX_SPREAD", "1000", "WARMUP_STEADY_WINDOW", "5", "WARMUP_STEADY_MAX_JIT", "1000",
			"WARMUP_STEADY_MAX_CLASSES", "1000000");

	/** The cheapest JVM: a stack is up and warm in two thirds of the time. */
	static final String CHEAPEST = "-XX:TieredStopAtLevel=1";

	private static final Map<String, String> UNTIMED = Map.of("JAVA_OPTS", "-Xmx512m " + CHEAPEST);

	private Stacks() {
	}

	/**
	 * Prepares a stack that is warm when it is measured so, and starts nothing.
	 * @param name names its home under {@code target}
	 * @param settings environment variables, such as {@code WARMUP_IDLE_AFTER}
	 * @return the stack
	 */
	static Stack measured(String name, Map<String, String> settings) {
		return Stack.prepare(ROOT.resolve("stack"), directory().resolve(name), settings);
	}

	/**
	 * Prepares a stack of all defaults, whose processes may run on these cores only, and
	 * starts nothing.
	 * @param name names its home under {@code target}
	 * @param cores as {@code taskset} has them, such as {@code 0,1}
	 * @return the stack
	 */
	static Stack onCores(String name, String cores) {
		Path script = directory().resolve(name + ".sh");
		try {
			Files.writeString(script,
					"exec taskset --cpu-list %s bash '%s' \"$@\"%n".formatted(cores, ROOT.resolve("stack")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return Stack.prepare(script, directory().resolve(name), Map.of());
	}

	/**
	 * Prepares a stack that is warm after {@code WARMUP_STARTUP_MIN_REPETITIONS}, and
	 * starts nothing. Its JVMs are those that users have, and may be timed.
	 * @param name names its home under {@code target}
	 * @param settings environment variables, such as {@code WARMUP_IDLE_AFTER}
	 * @return the stack
	 */
	static Stack timed(String name, Map<String, String> settings) {
		return counted(name, ROOT, settings);
	}

	/**
	 * Prepares a stack of which nobody asks how fast it is, warm after
	 * {@code WARMUP_STARTUP_MIN_REPETITIONS}, and starts nothing.
	 * @param name names its home under {@code target}
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
		Map<String, String> all = new HashMap<>(UNTIMED);
		all.putAll(settings);
		return counted(name, root, all);
	}

	private static Stack counted(String name, Path root, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(COUNTED);
		all.putAll(settings);
		return Stack.prepare(root.resolve("stack"), directory().resolve(name), all);
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

}
