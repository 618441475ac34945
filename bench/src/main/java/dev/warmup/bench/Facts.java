package dev.warmup.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.process.Command;
import dev.warmup.bench.stack.Outcome;

import com.sun.management.OperatingSystemMXBean;

/** The machine, and what runs on it: without them figures say nothing. */
final class Facts {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String UNKNOWN = "unknown";

	private static final Pattern JAVA = Pattern.compile("version \"([^\"]+)\"");

	private static final Pattern JVM = Pattern.compile("(?m)^.* VM .*$");

	private static final Pattern FLAGS = Pattern.compile("\\$\\{JAVA_OPTS:-([^}]+)}");

	private static final Pattern BOOT = Pattern
		.compile("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)</version>");

	private static final Pattern CLOUD = Pattern.compile("<spring-cloud\\.version>([^<]+)<");

	private static final Pattern SYSTEM = Pattern.compile("(?m)^PRETTY_NAME=\"?([^\"\\n]*)");

	private Facts() {
	}

	/**
	 * Asks for all of them.
	 * @param root the repository
	 * @param javaHome the JDK of the stacks
	 * @return the facts in the order of telling; {@code unknown} for what nobody tells
	 */
	static Map<String, String> of(Path root, Path javaHome) {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		String pom = text(root.resolve("pom.xml"));
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("commit", commit(printed(root, "git", "rev-parse", "--short", "HEAD"),
				printed(root, "git", "status", "--porcelain", "--", ".", ":!bench/results")));
		facts.put("cores", Integer.toString(system.getAvailableProcessors()));
		facts.put("memory", gibibytes(system.getTotalMemorySize()));
		facts.put("OS", "%s, %s %s, %s".formatted(first(SYSTEM, text(Path.of("/etc/os-release"))), system.getName(),
				system.getVersion(), system.getArch()));
		facts.put("load average at start", load(system.getSystemLoadAverage()));
		facts.put("JDK of the stack",
				jdk(printed(root, javaHome.resolve("bin/java").toString(), "-version").orElse("")));
		facts.put("JVM flags of the stack", first(FLAGS, text(root.resolve("stack"))));
		facts.put("JDK of the client",
				"%s, %s (build %s, %s)".formatted(System.getProperty("java.version"),
						System.getProperty("java.vm.name"), System.getProperty("java.vm.version"),
						System.getProperty("java.vm.info")));
		facts.put("Spring Boot", first(BOOT, pom));
		facts.put("Spring Cloud", first(CLOUD, pom));
		return facts;
	}

	private static Optional<String> printed(Path directory, String... words) {
		Outcome outcome = new Command(directory, Map.of(), LIMIT).outcome(List.of(words));
		return Optional.of(outcome).filter((ended) -> ended.exitCode() == 0).map(Outcome::output);
	}

	/**
	 * Reads what {@code java -version} prints.
	 * @param output all that it printed
	 * @return the version and the JVM, in one line
	 */
	static String jdk(String output) {
		Matcher jvm = JVM.matcher(output);
		return first(JAVA, output) + (jvm.find() ? ", " + jvm.group().strip() : "");
	}

	/**
	 * Names the state of the sources.
	 * @param head what {@code git rev-parse} printed; empty without git or a repository
	 * @param changes what {@code git status --porcelain} printed
	 * @return the commit, with a word when the sources differ from it
	 */
	static String commit(Optional<String> head, Optional<String> changes) {
		return head.map(String::strip)
			.map((commit) -> changes.filter(String::isBlank).isPresent() ? commit : commit + " + changes")
			.orElse(UNKNOWN);
	}

	/**
	 * Finds a fact in a text.
	 * @param pattern where it stands, as its first group
	 * @param text the text
	 * @return the fact, {@code unknown} when it is not there
	 */
	static String first(Pattern pattern, String text) {
		Matcher matcher = pattern.matcher(text);
		return matcher.find() ? matcher.group(1).strip() : UNKNOWN;
	}

	static String load(double average) {
		return (average < 0) ? UNKNOWN : String.format(Locale.ROOT, "%.1f", average);
	}

	static String gibibytes(long bytes) {
		return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
