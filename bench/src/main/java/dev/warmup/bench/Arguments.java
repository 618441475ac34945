package dev.warmup.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Variant;

import org.springframework.boot.ApplicationArguments;

/**
 * The command line of a benchmark.
 *
 * @param rounds how often each step is measured that a goal depends on
 * @param quick whether to show that everything works instead of measuring well
 * @param variants the variants to measure, in the order of the tables
 * @param scenarios the scenarios to measure, in the order of the report
 * @param name the directory below {@code bench/results}
 * @param javaHome the JDK of the stacks, absolute
 */
record Arguments(int rounds, boolean quick, List<Variant> variants, List<Scenario> scenarios, String name,
		Path javaHome) {

	static final String USAGE = """
			usage: bench/run [OPTION]... [SCENARIO]...   measure; write bench/results/NAME
			       bench/run report NAME                 write its report and charts again
			       bench/run readme [--check]            put the figures of "latest" into README.md;
			                                             --check only fails if they are not there

			scenarios: first burst join deploy together idle overhead; all of them by default
			  --n=N            rounds of all but idle and overhead (3)
			  --quick          one short round of nothing, ours and steady: shows that it works
			  --variants=A,B   of nothing, one-pass, 200-passes, mittens, aot-cache, ours,
			                   ours-cache, ours-at-once, steady; all of them by default
			  --name=NAME      the results' directory (latest; with --quick: quick)
			  --java=HOME      the JDK of the stacks (the one that runs this); 25 or later for AOT caches
			exit codes: 0 done; 1 a step failed, see the notes in the report; 2 wrong usage
			environment: MITTENS_BIN, the path of mittens; without it that variant is skipped
			""";

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException for wrong usage; the message is for the user
	 */
	static Arguments of(ApplicationArguments given) {
		List<String> options = List.of("n", "quick", "variants", "name", "java");
		given.getOptionNames()
			.forEach((option) -> check(options.contains(option), "unknown option --%s".formatted(option)));
		boolean quick = given.containsOption("quick");
		String rounds = value(given, "n", quick ? "1" : "3");
		check(rounds.matches("[1-9][0-9]?"), "--n=" + rounds + ": must be a number from 1 to 99");
		String variants = value(given, "variants", quick ? "nothing,ours,steady"
				: Stream.of(Variant.values()).map(Variant::id).collect(Collectors.joining(",")));
		List<String> scenarios = Stream.of(Scenario.values()).map(Scenario::id).toList();
		given.getNonOptionArgs()
			.forEach((word) -> check(scenarios.contains(word),
					"unknown scenario %s; there are %s".formatted(word, scenarios)));
		return new Arguments(Integer.parseInt(rounds), quick,
				Stream.of(variants.split(",")).map(Variant::of).distinct().sorted().toList(),
				Stream.of(Scenario.values())
					.filter((scenario) -> given.getNonOptionArgs().isEmpty()
							|| given.getNonOptionArgs().contains(scenario.id()))
					.toList(),
				name(value(given, "name", quick ? "quick" : "latest")),
				jdk(Path.of(value(given, "java", System.getProperty("java.home", ""))).toAbsolutePath()));
	}

	private static Path jdk(Path home) {
		check(Files.isExecutable(home.resolve("bin/java")), home + ": has no bin/java");
		return home;
	}

	private static String value(ApplicationArguments given, String option, String otherwise) {
		List<String> values = given.getOptionValues(option);
		check(values == null || !values.isEmpty(), "--%s needs a value: --%s=…".formatted(option, option));
		return (values != null) ? values.get(values.size() - 1) : otherwise;
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
