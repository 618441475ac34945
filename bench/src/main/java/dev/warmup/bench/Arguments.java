package dev.warmup.bench;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What the command line asks for.
 *
 * @param help whether to tell how it is used, and to do nothing else
 * @param quick whether to be done soon
 * @param check whether to fail when the warm-up made nothing faster
 * @param rounds how often to repeat each step; empty for as often as its scenario says,
 * and as there is time
 * @param scenarios the ids of what to run, each once
 */
record Arguments(boolean help, boolean quick, boolean check, OptionalInt rounds, List<String> scenarios) {

	private static final String ROUNDS = "--rounds=";

	/** From 1 to 99: 99 rounds of everything take days. */
	private static final Pattern COUNT = Pattern.compile("[1-9][0-9]?");

	/** Copies what it is given. */
	Arguments {
		scenarios = List.copyOf(scenarios);
	}

	/**
	 * Reads the command line.
	 * @param words the arguments
	 * @param known the ids of all scenarios, in their order
	 * @param usual the ids of those that are run when none is named
	 * @param soon the ids of those that are run when none is named, and it shall be quick
	 * @return what they ask for, always in the order of the known ones
	 * @throws IllegalArgumentException when a word is neither an option nor a scenario,
	 * or the rounds are not a count; the message is for the user
	 */
	static Arguments parse(List<String> words, Collection<String> known, Collection<String> usual,
			Collection<String> soon) {
		List<String> named = words.stream().filter((word) -> !isOption(word)).toList();
		named.stream().filter((word) -> !known.contains(word)).findFirst().ifPresent((word) -> {
			throw new IllegalArgumentException(word.startsWith("-") ? "no such option: " + word
					: "no such scenario: %s; there are %s".formatted(word, String.join(", ", known)));
		});
		boolean quick = words.contains("--quick");
		Collection<String> unnamed = quick ? soon : usual;
		return new Arguments(words.contains("--help") || words.contains("-h"), quick, words.contains("--check"),
				rounds(words), known.stream().filter((named.isEmpty() ? unnamed : named)::contains).toList());
	}

	private static OptionalInt rounds(List<String> words) {
		return words.stream()
			.filter((word) -> word.startsWith(ROUNDS))
			.map((word) -> word.substring(ROUNDS.length()))
			.mapToInt(Arguments::count)
			.reduce((first, last) -> last);
	}

	private static int count(String text) {
		if (!COUNT.matcher(text).matches()) {
			throw new IllegalArgumentException("%s%s is not a number from 1 to 99".formatted(ROUNDS, text));
		}
		return Integer.parseInt(text);
	}

	private static boolean isOption(String word) {
		return word.startsWith(ROUNDS) || List.of("--help", "-h", "--quick", "--check").contains(word);
	}

}
