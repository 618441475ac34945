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

			scenarios: first burst join deploy together idle overhead; all of them by default
			  --n N            rounds of all but idle and overhead (3)
			  --quick          one short round of nothing, ours and steady: shows that it works
			  --variants A,B   of nothing, one-pass, 200-passes, mittens, aot-cache, ours,
			                   ours-cache, ours-at-once, steady; all of them by default
			  --name NAME      the results' directory (latest; with --quick: quick)
			  --java HOME      the JDK of the stacks (the one that runs this); 25 or later for AOT caches
			exit codes: 0 done; 1 a step failed, see the notes in the report; 2 wrong usage
			environment: MITTENS_BIN, the path of mittens; without it that variant is skipped
			""";

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException for wrong usage; the message is for the user
	 */
	static Arguments parse(List<String> words) {
		boolean quick = words.contains("--quick");
		int rounds = quick ? 1 : 3;
		String name = quick ? "quick" : "latest";
		Path javaHome = Path.of(Objects.requireNonNull(System.getProperty("java.home")));
		List<Variant> variants = quick ? List.of(Variant.NOTHING, Variant.OURS, Variant.STEADY)
				: List.of(Variant.values());
		List<String> ids = Stream.of(Scenario.values()).map(Scenario::id).toList();
		List<String> scenarios = new ArrayList<>();
		Iterator<String> word = words.iterator();
		while (word.hasNext()) {
			String next = word.next();
			boolean option = List.of("--n", "--variants", "--name", "--java").contains(next);
			check(!option || word.hasNext(), next + " needs a value");
			String value = option ? word.next() : "";
			switch (next) {
				case "--quick" -> {
				}
				case "--n" -> {
					check(value.matches("[1-9][0-9]?"), "--n " + value + ": must be a number from 1 to 99");
					rounds = Integer.parseInt(value);
				}
				case "--variants" ->
					variants = Stream.of(value.split(",")).map(Variant::of).distinct().sorted().toList();
				case "--name" -> name = name(value);
				case "--java" -> javaHome = Path.of(value);
				default -> {
					check(ids.contains(next), "unknown %s %s; scenarios are %s"
						.formatted(next.startsWith("-") ? "option" : "scenario", next, String.join(", ", ids)));
					scenarios.add(next);
				}
			}
		}
		return new Arguments(rounds, quick, variants,
				Stream.of(Scenario.values())
					.filter((scenario) -> scenarios.isEmpty() || scenarios.contains(scenario.id()))
					.toList(),
				name, javaHome);
	}

	static String name(String value) {
		check(value.matches("[a-z0-9][a-z0-9.-]*"), value + ": must be lower-case letters, digits and hyphens");
		return value;
	}

	private static void check(boolean valid, String error) {
		if (!valid) {
			throw new IllegalArgumentException(error);
		}
	}

}
