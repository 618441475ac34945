package dev.warmup.bench.variant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.process.Command;
import org.springframework.util.FileSystemUtils;

/** The services' jars laid out flat, as containers run them. */
public final class Layout {

	private static final List<String> SERVICES = List.of("eureka-server", "gateway", "chat-service");

	private Layout() {
	}

	/**
	 * Lays them out. Blocks.
	 * @param root the repository, with its jars packaged
	 * @param directory where to, as {@code STACK_JARS} has it; emptied at first
	 * @param javaHome the JDK
	 * @throws IllegalStateException when a jar cannot be extracted
	 */
	public static void extract(Path root, Path directory, Path javaHome) {
		try {
			FileSystemUtils.deleteRecursively(directory);
			Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		for (String service : SERVICES) {
			Path jar = root.resolve(service).resolve("target").resolve(service + ".jar");
			new Command(directory, Map.of(), Duration.ofMinutes(1))
				.run(List.of(javaHome.resolve("bin/java").toString(), "-Djarmode=tools", "-jar", jar.toString(),
						"extract", "--destination", directory.resolve(service).toString()));
		}
	}

}
