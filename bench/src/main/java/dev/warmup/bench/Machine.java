package dev.warmup.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;

import dev.warmup.bench.variant.Site;

/** The machine: what it is, and how fast it is at a moment. */
final class Machine {

	private static final int TRIES = 5;

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final int[] numbers = new Random(1).ints(2_000_000).toArray();

	Machine() {
		speed(); // until it is compiled
		speed();
	}

	/** Does a fixed amount of work. Blocks for about a second. */
	double speed() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < TRIES; i++) {
			int[] copy = this.numbers.clone();
			long begin = this.threads.getCurrentThreadCpuTime();
			Arrays.sort(copy);
			least = Math.min(least, this.threads.getCurrentThreadCpuTime() - begin);
		}
		return least / 1e6;
	}

	/** What readers of the results have to know. */
	static Map<String, String> facts(Site site, int rounds) throws IOException {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		facts.put("commit", commit(site.root()));
		facts.put("rounds", rounds + (site.quick() ? " (quick: proves nothing)" : ""));
		facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
		facts.put("OS", "%s %s, %s".formatted(System.getProperty("os.name"), System.getProperty("os.version"),
				System.getProperty("os.arch")));
		facts.put("JDK of the stack", jdk(site.javaHome()) + ", -Xmx512m");
		facts.put("JDK of the client", System.getProperty("java.vm.version", ""));
		facts.put("load average at the start",
				"%.1f".formatted(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
		return facts;
	}

	private static String jdk(Path home) throws IOException {
		Properties release = new Properties();
		try (var reader = Files.newBufferedReader(home.resolve("release"))) {
			release.load(reader);
		}
		return "%s %s"
			.formatted(release.getProperty("IMPLEMENTOR", ""),
					release.getProperty("JAVA_RUNTIME_VERSION", release.getProperty("JAVA_VERSION", "")))
			.replace("\"", "")
			.strip();
	}

	private static String commit(Path root) throws IOException {
		Process git = new ProcessBuilder("git", "describe", "--always", "--dirty=+changes", "--exclude=*")
			.directory(root.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		return output.matches("[0-9a-f]{7,}(\\+changes)?") ? output : "unknown";
	}

}
