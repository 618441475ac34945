package dev.warmup.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import dev.warmup.bench.scenario.Recorder;
import dev.warmup.bench.scenario.Results;
import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.stack.Site;
import dev.warmup.bench.stack.Variant;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.util.FileSystemUtils;

/** The command {@code bench/run}. */
public final class Main {

	private static final String USAGE = """
			usage: bench/run [OPTION]... [SCENARIO]...   measure; write bench/results/NAME

			scenarios: first restart burst join deploy; all of them by default
			  --n=N            rounds (3)
			  --variants=A,B   of nothing, passes-200, no-replay, no-share, ours, ours-30s,
			                   ours-cache, steady; all of them by default
			  --name=NAME      the results' directory (latest)
			  --java=HOME      the JDK of the stacks (the one that runs this); 25 or later for ours-cache
			exit codes: 0 done; 1 a step failed, see the notes in the report; 2 wrong usage
			""";

	private static final PrintStream OUT = System.out;

	private final int[] numbers = new Random(1).ints(2_000_000).toArray();

	private final List<Results.Figure> figures = new ArrayList<>();

	private final List<String> notes = new ArrayList<>();

	private Main() {
	}

	/** Runs the command in the repository's root. */
	public static void main(String[] args) throws IOException {
		try {
			System.exit(new Main().measure(new DefaultApplicationArguments(args)));
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage() + "\n\n" + USAGE);
			System.exit(2);
		}
	}

	/** Measures by turns: whatever the machine does for a while affects all variants. */
	private int measure(ApplicationArguments arguments) throws IOException {
		if (arguments.containsOption("help")) {
			OUT.print(USAGE);
			return 0;
		}
		for (String option : arguments.getOptionNames()) {
			if (!List.of("n", "variants", "name", "java").contains(option)) {
				throw new IllegalArgumentException("unknown option --" + option);
			}
		}
		int rounds = Integer.parseInt(value(arguments, "n", "3"));
		List<Scenario> scenarios = arguments.getNonOptionArgs()
			.stream()
			.map((id) -> Scenario.valueOf(id.toUpperCase(Locale.ROOT)))
			.toList();
		String variants = value(arguments, "variants", "");
		Path root = Path.of("").toAbsolutePath();
		Path directory = root.resolve("bench/results").resolve(value(arguments, "name", "latest"));
		Site site = new Site(root, root.resolve("bench/target/work"),
				Path.of(value(arguments, "java", System.getProperty("java.home", ""))).toAbsolutePath());
		List<Variant> chosen = new ArrayList<>(variants.isEmpty() ? List.of(Variant.values())
				: Arrays.stream(variants.split(","))
					.map((id) -> Variant.valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_')))
					.toList());
		if (site.javaVersion() < Variant.FIRST_JDK_WITH_CACHE && chosen.remove(Variant.OURS_CACHE)) {
			this.notes.add("ours-cache was skipped: it needs JDK " + Variant.FIRST_JDK_WITH_CACHE);
		}
		FileSystemUtils.deleteRecursively(site.work()); // AOT caches fit only their jars
		site.extractJars();
		Map<String, String> facts = facts(site, rounds);
		int failed = 0;
		for (int round = 1; round <= rounds; round++) {
			for (Scenario scenario : scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios) {
				for (Variant variant : chosen) {
					if (scenario.measures(variant)) {
						failed += step(site, scenario, variant, round) ? 0 : 1;
						new Results(facts, this.figures, this.notes).write(directory);
					}
				}
			}
		}
		OUT.printf("%s, %d steps failed%n", directory.resolve("README.md"), failed);
		return (failed > 0) ? 1 : 0;
	}

	private static String value(ApplicationArguments given, String option, String otherwise) {
		List<String> values = given.getOptionValues(option);
		return (values != null && !values.isEmpty()) ? values.get(0) : otherwise;
	}

	/** What readers of the results have to know. */
	private static Map<String, String> facts(Site site, int rounds) {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		facts.put("commit", System.getProperty("commit", "unknown"));
		facts.put("rounds", Integer.toString(rounds));
		facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
		facts.put("OS", System.getProperty("os.name") + " " + System.getProperty("os.version"));
		facts.put("JDK of the stack", site.release("IMPLEMENTOR") + " " + site.release("JAVA_VERSION"));
		return facts;
	}

	private boolean step(Site site, Scenario scenario, Variant variant, int round) {
		OUT.printf("%tT round %d: %s %s%n", System.currentTimeMillis(), round, scenario.id(), variant.id());
		List<Results.Figure> measured = new ArrayList<>();
		try {
			scenario.measure(site, variant,
					new Recorder(measured, this.notes, scenario.id(), variant.id(), round, fixedWork()));
			this.figures.addAll(measured);
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
