package dev.warmup.run;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Puts into words why a run did not end warm. Not thread-safe. */
final class Reasons {

	private static final int TOLD = 3;

	/** What would break a line of the log, and make a gateway refuse the report. */
	private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

	private final Set<Integer> failingStatuses = new TreeSet<>();

	private final Set<Integer> unprovedStatuses = new TreeSet<>();

	/** Takes in an answer other than expected. */
	void note(Outcome.Unexpected unexpected) {
		this.failingStatuses.add(unexpected.status());
		if (!unexpected.byService()) {
			this.unprovedStatuses.add(unexpected.status());
		}
	}

	/**
	 * The first failures of a few requests, and what they point to; empty without one.
	 */
	Optional<String> of(List<String> problems) {
		if (problems.isEmpty()) {
			return Optional.empty();
		}
		String first = problems.stream().limit(TOLD).collect(Collectors.joining(", "));
		return Optional.of(Advice.on(this.failingStatuses, this.unprovedStatuses)
			.map((advice) -> first + ": " + advice)
			.orElse(first));
	}

	/** The first few, and how many more there are. */
	static String told(List<String> causes) {
		String first = causes.stream().limit(TOLD).collect(Collectors.joining(", "));
		return (causes.size() <= TOLD) ? first : first + ", and %d more".formatted(causes.size() - TOLD);
	}

	static String onOneLine(String text) {
		return LINE_BREAKS.matcher(text).replaceAll(" ");
	}

}
