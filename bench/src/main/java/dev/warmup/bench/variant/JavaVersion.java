package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.process.Command;

/** How old a JDK is. */
final class JavaVersion {

	private static final Pattern VERSION = Pattern.compile("version \"(?:1\\.)?(\\d+)");

	private JavaVersion() {
	}

	/**
	 * Asks a JDK. Blocks.
	 * @param javaHome where it is
	 * @return its version, such as 25
	 */
	static int of(Path javaHome) {
		String java = javaHome.resolve("bin/java").toString();
		return read(new Command(javaHome, Map.of(), Duration.ofSeconds(30)).run(List.of(java, "-version")));
	}

	/**
	 * Reads what a JDK says of itself.
	 * @param output of {@code java -version}
	 * @return its version, such as 25
	 * @throws IllegalStateException when the output does not tell
	 */
	static int read(String output) {
		Matcher version = VERSION.matcher(output);
		if (!version.find()) {
			throw new IllegalStateException("no Java version in: " + output);
		}
		return Integer.parseInt(version.group(1));
	}

}
