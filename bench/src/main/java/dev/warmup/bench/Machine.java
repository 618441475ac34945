package dev.warmup.bench;

import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
	static Map<String, String> facts(Site site, int rounds) {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		facts.put("commit", commit(site));
		facts.put("rounds", rounds + (site.quick() ? " (quick: proves nothing)" : ""));
		facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
		facts.put("OS", "%s %s, %s".formatted(System.getProperty("os.name"), System.getProperty("os.version"),
				System.getProperty("os.arch")));
		facts.put("JDK of the stack",
				"%s %s, -Xmx512m".formatted(site.release("IMPLEMENTOR"), site.release("JAVA_VERSION")));
		facts.put("load average at the start",
				"%.1f".formatted(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
		return facts;
	}

	private static String commit(Site site) {
		try {
			return site
				.run(Duration.ofSeconds(30), List.of("git", "-C", site.root().toString(), "describe", "--always",
						"--dirty=+changes", "--exclude=*"), Map.of())
				.strip();
		}
		catch (IllegalStateException | UncheckedIOException ex) {
			return "unknown"; // not a repository, or no git
		}
	}

}
