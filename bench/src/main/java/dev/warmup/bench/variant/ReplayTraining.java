package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.process.Command;

/** Has {@code ./stack train} replay the catalog while the JVMs note what they need. */
final class ReplayTraining implements Training {

	private static final Duration LIMIT = Duration.ofMinutes(10);

	private final Path stack;

	private final Path javaHome;

	/**
	 * Creates the training.
	 * @param stack the script
	 * @param javaHome the JDK
	 */
	ReplayTraining(Path stack, Path javaHome) {
		this.stack = stack.toAbsolutePath().normalize();
		this.javaHome = javaHome;
	}

	@Override
	public void train(Path jars, Map<String, Path> caches) {
		new Command(jars,
				Map.of("STACK_JARS", jars.toString(), "JAVA_HOME", this.javaHome.toString(), "JAVA_OPTS", JVM_OPTIONS,
						"STACK_HOME", jars.resolve("stack").toString()),
				LIMIT)
			.run(List.of("bash", this.stack.toString(), "train"));
	}

}
