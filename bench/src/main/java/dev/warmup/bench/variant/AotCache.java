package dev.warmup.bench.variant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;

/**
 * AOT caches of the JVM (JEP 483, 514) for the gateway and chat-service, trained once a
 * benchmark.
 */
enum AotCache {

	/** Trained on the refresh of the application context, as Spring Boot documents it. */
	REFRESH {
		@Override
		void write(Site site) {
			CACHED.forEach((service) -> site.run(LIMIT,
					List.of(site.java(), "-Xmx512m", "-XX:AOTCacheOutput=" + file(site, service),
							"-Dspring.context.exit=onRefresh", "-jar", jar(site, service), "--server.port=0"),
					Map.of("EUREKA_URL", "http://127.0.0.1:%d/eureka/".formatted(App.freePort()))));
		}
	},

	/** Trained by the library: a stack replays its catalog, then shuts down. */
	REPLAY {
		@Override
		void write(Site site) {
			Stack.Builder builder = site.stack("training").args(Stack.SERVICE, "--warmup.startup.trigger=train");
			CACHED.forEach((service) -> builder.jvm(service, "-XX:AOTCacheOutput=" + file(site, service)));
			try (Stack stack = builder.start()) {
				stack.awaitReady(LIMIT);
				stack.service().stop(LIMIT); // a JVM writes its cache when it ends
				stack.gateway().stop(LIMIT);
			}
		}
	};

	private static final Duration LIMIT = Duration.ofMinutes(6);

	private static final int FIRST_JDK = 25;

	private static final List<String> CACHED = List.of(Stack.GATEWAY, Stack.SERVICE);

	abstract void write(Site site);

	/**
	 * Tells whether there can be a cache.
	 * @param site the site with its JDK
	 * @return why there cannot, a sentence; empty when there can
	 */
	static Optional<String> unavailable(Site site) {
		int version = site.javaVersion();
		return (version < FIRST_JDK) ? Optional
			.of("AOT caches need JDK %d or later, and %s is JDK %d.".formatted(FIRST_JDK, site.javaHome(), version))
				: Optional.empty();
	}

	/**
	 * Trains the caches, unless this benchmark has done so before. Blocks.
	 * @throws IllegalStateException when a cache was not written
	 */
	void train(Site site) {
		if (CACHED.stream().allMatch((service) -> Files.exists(file(site, service)))) {
			return;
		}
		write(site);
		for (String service : CACHED) {
			if (!Files.exists(file(site, service))) {
				throw new IllegalStateException("training did not write " + file(site, service));
			}
		}
	}

	/** Has a stack use the caches; a JVM that cannot use its cache does not start. */
	void use(Site site, Stack.Builder stack) {
		CACHED.forEach((service) -> stack.jvm(service, "-XX:AOTMode=on", "-XX:AOTCache=" + file(site, service)));
	}

	private static String jar(Site site, String service) {
		return site.jars().resolve(service).resolve(service + ".jar").toString();
	}

	Path file(Site site, String service) {
		return site.work().resolve("%s-%s.aot".formatted(service, name().toLowerCase(Locale.ROOT)));
	}

}
