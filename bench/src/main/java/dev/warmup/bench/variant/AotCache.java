package dev.warmup.bench.variant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;

/** AOT caches of the JVM (JEP 483, 514) for the gateway and chat-service. */
enum AotCache {

	/** Trained on the refresh of the application context, as Spring Boot documents it. */
	REFRESH,

	/**
	 * Trained by the library, as {@code docker/train} does: a stack that compiles after a
	 * tenth of the calls replays its catalog, then shuts down.
	 */
	REPLAY;

	private static final Duration LIMIT = Duration.ofMinutes(6);

	private static final int FIRST_JDK = 25;

	private static final List<String> CACHED = List.of(Stack.GATEWAY, Stack.SERVICE);

	/** Why there can be no cache, a sentence; empty when there can. */
	static Optional<String> unavailable(Site site) {
		return (site.javaVersion() < FIRST_JDK) ? Optional
			.of("AOT caches need JDK %d or later, and the stack's is %d.".formatted(FIRST_JDK, site.javaVersion()))
				: Optional.empty();
	}

	/**
	 * Has a stack use the caches, after training them where this benchmark has not done
	 * so before. A JVM that cannot use its cache does not start.
	 * @throws IllegalStateException when training did not write a cache
	 */
	void use(Site site, Stack.Builder stack) {
		if (!CACHED.stream().allMatch((service) -> Files.exists(file(site, service)))) {
			train(site);
		}
		for (String service : CACHED) {
			if (!Files.exists(file(site, service))) {
				throw new IllegalStateException("training did not write " + file(site, service));
			}
			stack.jvm(service, "-XX:AOTMode=on", "-XX:AOTCache=" + file(site, service));
		}
	}

	private void train(Site site) {
		if (this == REFRESH) {
			for (String service : CACHED) {
				site.run(LIMIT,
						List.of(site.java(), "-Xmx512m", "-XX:AOTCacheOutput=" + file(site, service),
								"-Dspring.context.exit=onRefresh", "-jar",
								site.jars().resolve(service).resolve(service + ".jar").toString(), "--server.port=0",
								"--eureka.client.service-url.defaultZone=http://127.0.0.1:%d/eureka/"
									.formatted(App.freePort())));
			}
			return;
		}
		Stack.Builder builder = site.stack("training").args(Stack.SERVICE, "--warmup.startup.trigger=train");
		CACHED.forEach((service) -> builder.jvm(service, "-XX:CompileThresholdScaling=0.1",
				"-XX:AOTCacheOutput=" + file(site, service)));
		try (Stack stack = builder.start()) {
			stack.awaitReady(LIMIT);
			stack.service().stop(LIMIT); // a JVM writes its cache when it ends
			stack.gateway().stop(LIMIT);
		}
	}

	private Path file(Site site, String service) {
		return site.work().resolve("%s-%s.aot".formatted(service, name().toLowerCase(Locale.ROOT)));
	}

}
