package dev.warmup.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.report.Figure;
import dev.warmup.bench.report.Report;
import dev.warmup.bench.report.Results;
import dev.warmup.bench.scenario.Recorder;
import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/** The command {@code bench/run}. */
public final class Main {

	private static final PrintStream OUT = System.out;

	private final Path root;

	private final List<Figure> figures = new ArrayList<>();

	private final List<String> notes = new ArrayList<>();

	private Main(Path root) {
		this.root = root;
	}

	/**
	 * Runs the command in the repository's root.
	 * @param args see {@link Arguments#USAGE}
	 * @throws IOException when a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		System.exit(new Main(Path.of("").toAbsolutePath()).run(List.of(args)));
	}

	private int run(List<String> words) throws IOException {
		if (words.contains("--help") || words.contains("-h")) {
			OUT.print(Arguments.USAGE);
			return 0;
		}
		if (words.equals(List.of("readme")) || words.equals(List.of("readme", "--check"))) {
			return readme(words.size() > 1);
		}
		if (words.size() == 2 && words.get(0).equals("report")) {
			Path directory = results(words.get(1));
			Report.write(Results.read(directory), directory);
			return 0;
		}
		try {
			return measure(Arguments.parse(words));
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
		if (check) {
			OUT.println(
					after.equals(before) ? "README.md is up to date" : "README.md is out of date: bench/run readme");
			return after.equals(before) ? 0 : 1;
		}
		Files.writeString(file, after);
		return 0;
	}

	/** Measures by turns: whatever the machine does for a while affects all variants. */
	private int measure(Arguments arguments) throws IOException {
		Path work = this.root.resolve("bench/target/work");
		Site site = new Site(this.root, work, arguments.javaHome(), arguments.quick());
		deleteCaches(work);
		site.extractJars();
		Map<String, String> facts = Machine.facts(site, arguments.rounds());
		Path directory = arguments.quick() ? work.resolveSibling("results").resolve(arguments.name())
				: results(arguments.name());
		List<Variant> variants = arguments.variants().stream().filter((variant) -> available(variant, site)).toList();
		Machine machine = new Machine();
		int failed = 0;
		for (int round = 1; round <= arguments.rounds(); round++) {
			for (Scenario scenario : arguments.scenarios()) {
				for (Variant variant : variants) {
					if (scenario.variants().contains(variant) && (round == 1 || scenario.repeated())) {
						failed += step(site, scenario, variant, round, machine) ? 0 : 1;
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

	private boolean available(Variant variant, Site site) {
		variant.unavailable(site).ifPresent((reason) -> {
			OUT.printf("%s is skipped: %s%n", variant.id(), reason);
			this.notes.add("%s was skipped: %s".formatted(variant.id(), reason));
		});
		return variant.unavailable(site).isEmpty();
	}

	private boolean step(Site site, Scenario scenario, Variant variant, int round, Machine machine) {
		long begin = System.nanoTime();
		OUT.printf("round %d: %s %s%n", round, scenario.id(), variant.id());
		List<Figure> measured = new ArrayList<>();
		try {
			scenario.measure(site, variant,
					new Recorder(measured, this.notes, scenario.id(), variant.id(), round, machine.speed()));
			this.figures.addAll(measured);
			OUT.printf("  %d s%n", (System.nanoTime() - begin) / 1_000_000_000);
			return true;
		}
		catch (IOException | RuntimeException ex) {
			// the figures of a step count together or not at all
			System.err.println(ex);
			this.notes.add("%s of %s, round %d, failed: %s".formatted(scenario.id(), variant.id(), round,
					String.valueOf(ex.getMessage()).lines().findFirst().orElse("")));
			return false;
		}
	}

	/** AOT caches fit the jars they were trained with only. */
	private static void deleteCaches(Path work) throws IOException {
		if (Files.exists(work)) {
			try (var caches = Files.newDirectoryStream(work, "*.aot")) {
				for (Path cache : caches) {
					Files.delete(cache);
				}
			}
		}
	}

}
