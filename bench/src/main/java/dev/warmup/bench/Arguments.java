package dev.warmup.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Variant;

/**
 * The command line of a benchmark.
 *
 * @param rounds how often each step is measured that a goal depends on
 * @param quick whether to show that everything works instead of measuring well
 * @param variants the variants to measure, in the order of the tables
 * @param scenarios the scenarios to measure, in the order of the report
 * @param name the directory below {@code bench/results}
 * @param javaHome the JDK of the stacks
 */
record Arguments(int rounds, boolean quick, List<Variant> variants, List<Scenario> scenarios, String name,
		Path javaHome) {

	static final String USAGE = """
			usage: bench/run [OPTION]... [SCENARIO]...   measure; write bench/results/NAME
			       bench/run report NAME                 write its report and charts again
			       bench/run readme [--check]            put the figures of "latest" into README.md;
			                                             --check only fails if they are not there

			scenarios: first burst join idle overhead; all of them by default
			  --n N            rounds of first, burst and join (3)
			  --quick          one short round of nothing, ours and steady: shows that it works
			  --variants A,B   of nothing, one-pass, 200-passes, mittens, aot-cache, ours,
			                   ours-cache, steady; all of them by default
			  --name NAME      the results' directory (latest; with --quick: quick)
			  --java HOME      the JDK of the stacks (the one that runs this); 25 or later for AOT caches
			exit codes: 0 done; 1 a step failed, see the notes in the report; 2 wrong usage
			environment: MITTENS_BIN, the path of mittens; without it that variant is skipped
			""";

	/**
	 * Reads the command line.
	 * @param words the words
	 * @return the arguments
	 * @throws IllegalArgumentException for wrong usage; the message is for the user
	 */
	static Arguments parse(List<String> words) {
		int rounds = 0;
		boolean quick = false;
		String name = "";
		Path javaHome = Path.of(Objects.requireNonNull(System.getProperty("java.home")));
		List<Variant> variants = new ArrayList<>();
		List<String> scenarios = new ArrayList<>();
		Iterator<String> word = words.iterator();
		while (word.hasNext()) {
			String next = word.next();
			switch (next) {
				case "--n" -> rounds = rounds(value(next, word));
				case "--quick" -> quick = true;
				case "--variants" -> Stream.of(value(next, word).split(",")).map(Variant::of).forEach(variants::add);
				case "--name" -> name = name(value(next, word));
				case "--java" -> javaHome = Path.of(value(next, word));
				default -> scenarios.add(scenario(next));
			}
		}
		if (variants.isEmpty()) {
			variants.addAll(quick ? List.of(Variant.NOTHING, Variant.OURS, Variant.STEADY) : List.of(Variant.values()));
		}
		boolean all = scenarios.isEmpty();
		return new Arguments((rounds > 0) ? rounds : quick ? 1 : 3, quick,
				Stream.of(Variant.values()).filter(variants::contains).toList(),
				Scenario.all().stream().filter((scenario) -> all || scenarios.contains(scenario.id())).toList(),
				!name.isEmpty() ? name : quick ? "quick" : "latest", javaHome);
	}

	private static String value(String option, Iterator<String> word) {
		if (!word.hasNext()) {
			throw new IllegalArgumentException(option + " needs a value");
		}
		return word.next();
	}

	private static int rounds(String value) {
		if (!value.matches("[1-9][0-9]?")) {
			throw new IllegalArgumentException("--n %s: must be a number from 1 to 99".formatted(value));
		}
		return Integer.parseInt(value);
	}

	static String name(String value) {
		if (!value.matches("[a-z0-9][a-z0-9.-]*")) {
			throw new IllegalArgumentException("%s: must be lower-case letters, digits and hyphens".formatted(value));
		}
		return value;
	}

	private static String scenario(String word) {
		List<String> ids = Scenario.all().stream().map(Scenario::id).toList();
		if (!ids.contains(word)) {
			throw new IllegalArgumentException("unknown %s %s; scenarios are %s"
				.formatted(word.startsWith("-") ? "option" : "scenario", word, String.join(", ", ids)));
		}
		return word;
	}

}
