package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.process.Command;
import dev.warmup.bench.stack.Stack;

/** Starts each service until its context is refreshed, as Spring Boot's guide has it. */
final class RefreshTraining implements Training {

	private static final Duration LIMIT = Duration.ofMinutes(4);

	private final Path java;

	/**
	 * Creates the training.
	 * @param javaHome the JDK
	 */
	RefreshTraining(Path javaHome) {
		this.java = javaHome.resolve("bin/java");
	}

	@Override
	public void train(Path jars, Map<String, Path> caches) {
		// a registry that is not there: nobody shall hear of this
		Map<String, String> alone = Map.of("SERVER_PORT", "0", "EUREKA_URL",
				"http://127.0.0.1:%d/eureka/".formatted(Stack.freePort()));
		caches.forEach((service, cache) -> {
			Path directory = jars.resolve(service);
			new Command(directory, alone, LIMIT)
				.run(List.of(this.java.toString(), JVM_OPTIONS, "-XX:AOTCacheOutput=" + cache,
						"-Dspring.context.exit=onRefresh", "-jar", directory.resolve(service + ".jar").toString()));
		});
	}

}
