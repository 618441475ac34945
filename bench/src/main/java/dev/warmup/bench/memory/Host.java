package dev.warmup.bench.memory;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What decides whether memory can be paged out here.
 *
 * @param system the operating system, such as {@code Linux}
 * @param kernel its version, such as {@code 6.1.0-18-amd64}
 * @param root whether this is run by root
 * @param missing the programs that are needed and not there
 */
record Host(String system, String kernel, boolean root, List<String> missing) {

	private static final List<String> NEEDED = List.of("python3", "fallocate", "mkswap", "swapon", "swapoff");

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

	Host {
		missing = List.copyOf(missing);
	}

	/**
	 * Looks at this machine.
	 * @return what it is
	 */
	static Host here() {
		return new Host(System.getProperty("os.name"), System.getProperty("os.version"), isRoot(),
				NEEDED.stream().filter((program) -> !isThere(program)).toList());
	}

	/**
	 * What keeps memory from being paged out.
	 * @return a part of a sentence; empty when nothing is known to
	 */
	Optional<String> obstacle() {
		if (!this.system.equals("Linux")) {
			return Optional.of("this needs Linux");
		}
		if (!isKnownToPageOut()) {
			return Optional.of("this needs Linux 5.10 or later");
		}
		if (!this.root) {
			return Optional.of("this needs root");
		}
		return this.missing.isEmpty() ? Optional.empty() : Optional.of("this needs " + String.join(", ", this.missing));
	}

	private boolean isKnownToPageOut() {
		Matcher version = VERSION.matcher(this.kernel);
		if (!version.matches()) {
			return false;
		}
		int major = Integer.parseInt(version.group(1));
		return major > 5 || (major == 5 && Integer.parseInt(version.group(2)) >= 10);
	}

	private static boolean isRoot() {
		try {
			return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
		}
		catch (IOException | UnsupportedOperationException | IllegalArgumentException ex) {
			return false;
		}
	}

	private static boolean isThere(String program) {
		String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
		return Stream.of(path.split(File.pathSeparator, -1))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

}
