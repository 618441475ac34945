package dev.warmup.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import dev.warmup.bench.report.Report;
import dev.warmup.bench.report.Results;
import dev.warmup.bench.scenario.Recorder;
import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.util.FileSystemUtils;

/** The command {@code bench/run}. */
public final class Main {

	private static final PrintStream OUT = System.out;

	private final Path root = Path.of("").toAbsolutePath();

	private final int[] numbers = new Random(1).ints(2_000_000).toArray();

	private final List<Results.Figure> figures = new ArrayList<>();

	private final List<String> notes = new ArrayList<>();

	private Main() {
	}

	/**
	 * Runs the command in the repository's root.
	 * @param args see {@link Arguments#USAGE}
	 * @throws IOException when a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		System.exit(new Main().run(new DefaultApplicationArguments(args)));
	}

	private int run(ApplicationArguments arguments) throws IOException {
		List<String> words = arguments.getNonOptionArgs();
		try {
			if (arguments.containsOption("help") || words.contains("-h")) {
				OUT.print(Arguments.USAGE);
				return 0;
			}
			if (words.equals(List.of("readme"))) {
				return readme(arguments.containsOption("check"));
			}
			if (words.size() == 2 && words.get(0).equals("report")) {
				Path directory = results(words.get(1));
				Report.write(Results.read(directory), directory);
				return 0;
			}
			return measure(Arguments.of(arguments));
		}
		catch (IllegalArgumentException ex) {
			System.err.println("bench: " + ex.getMessage() + "\n\n" + Arguments.USAGE);
			return 2;
		}
	}

	private Path results(String name) {
		return this.root.resolve("bench/results").resolve(Arguments.name(name));
	}

	private int readme(boolean check) throws IOException {
		Path file = this.root.resolve("README.md");
		String before = Files.readString(file);
		String after = Report.updateReadme(before, Results.read(results("latest")));
		if (!check) {
			Files.writeString(file, after);
		}
		else if (!after.equals(before)) {
			OUT.println("README.md is out of date: bench/run readme");
			return 1;
		}
		OUT.println("README.md is up to date");
		return 0;
	}

	/** Measures by turns: whatever the machine does for a while affects all variants. */
	private int measure(Arguments arguments) throws IOException {
		Path work = this.root.resolve("bench/target/work");
		Site site = new Site(this.root, work, arguments.javaHome(), arguments.quick());
		FileSystemUtils.deleteRecursively(work); // AOT caches fit only their jars
		site.extractJars();
		Map<String, String> facts = facts(site, arguments.rounds());
		Path directory = arguments.quick() ? work.resolveSibling("results").resolve(arguments.name())
				: results(arguments.name());
		List<Variant> variants = arguments.variants().stream().filter((variant) -> available(variant, site)).toList();
		int failed = 0;
		for (int round = 1; round <= arguments.rounds(); round++) {
			for (Scenario scenario : arguments.scenarios()) {
				for (Variant variant : variants) {
					if (scenario.measures(variant, round)) {
						failed += step(site, scenario, variant, round) ? 0 : 1;
						Results results = new Results(facts, this.figures, this.notes);
						results.write(directory);
						Report.write(results, directory);
					}
				}
			}
		}
		OUT.printf("%s, %d steps failed%n", directory.resolve("README.md"), failed);
		return (failed > 0) ? 1 : 0;
	}

	/** What readers of the results have to know. */
	private static Map<String, String> facts(Site site, int rounds) {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		facts.put("commit", System.getProperty("commit", "unknown"));
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

	private boolean available(Variant variant, Site site) {
		Optional<String> reason = variant.unavailable(site);
		reason.ifPresent((text) -> {
			OUT.printf("%s is skipped: %s%n", variant.id(), text);
			this.notes.add("%s was skipped: %s".formatted(variant.id(), text));
		});
		return reason.isEmpty();
	}

	private boolean step(Site site, Scenario scenario, Variant variant, int round) {
		long begin = System.nanoTime();
		OUT.printf("round %d: %s %s%n", round, scenario.id(), variant.id());
		List<Results.Figure> measured = new ArrayList<>();
		try {
			scenario.measure(site, variant,
					new Recorder(measured, this.notes, scenario.id(), variant.id(), round, fixedWork()));
			this.figures.addAll(measured);
			OUT.printf("  %d s%n", (System.nanoTime() - begin) / 1_000_000_000);
			return true;
		}
		catch (RuntimeException ex) {
			// the figures of a step count together or not at all
			System.err.println(ex);
			this.notes.add("%s of %s, round %d, failed: %s".formatted(scenario.id(), variant.id(), round,
					String.valueOf(ex.getMessage()).lines().findFirst().orElse("")));
			return false;
		}
	}

	/**
	 * The CPU time of fixed work in ms, which shows how fast the machine is at this
	 * moment; the least of some, since the first is not compiled. Takes about a second.
	 */
	private double fixedWork() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 7; i++) {
			int[] copy = this.numbers.clone();
			long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			Arrays.sort(copy);
			least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin);
		}
		return least / 1e6;
	}

}
