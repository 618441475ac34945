package dev.warmup.run;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Describes why a run did not end warm, with advice. Not thread-safe. */
final class Reasons {

	private static final int LISTED = 3;

	/** Would break a line of the log; a gateway rejects reports with them. */
	private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

	/** Of all answers other than expected. */
	private final Set<Integer> statuses = new TreeSet<>();

	/** Those among them without proof that the instance answered. */
	private final Set<Integer> unproven = new TreeSet<>();

	/** Adds an answer other than expected. */
	void add(Outcome.Unexpected unexpected) {
		this.statuses.add(unexpected.status());
		if (!unexpected.byService()) {
			this.unproven.add(unexpected.status());
		}
	}

	/**
	 * The failures of a few requests, and what they point to; empty without one.
	 */
	Optional<String> of(List<String> problems) {
		if (problems.isEmpty()) {
			return Optional.empty();
		}
		String first = first(problems);
		return Optional.of(advice().map((advice) -> first + ": " + advice).orElse(first));
	}

	/** The first few, and how many more there are. */
	static String first(List<String> causes) {
		String first = causes.stream().limit(LISTED).collect(Collectors.joining(", "));
		return (causes.size() <= LISTED) ? first : first + ", and %d more".formatted(causes.size() - LISTED);
	}

	static String onOneLine(String text) {
		return LINE_BREAKS.matcher(text).replaceAll(" ");
	}

	/** Names the likely cause where all failures of a run look alike. */
	private Optional<String> advice() {
		if (this.statuses.isEmpty()) {
			return Optional.empty();
		}
		if (this.unproven.stream().anyMatch((status) -> status / 100 == 2)) {
			return Optional.of("the answers did not come from the instance: a cache, a circuit breaker's fallback, or"
					+ " another gateway at the same address, without warmup-common");
		}
		if (Set.of(421).containsAll(this.statuses)) {
			return Optional.of("the requests were sent to other instances: without a registry, a route has to lead to"
					+ " one instance");
		}
		if (this.unproven.containsAll(this.statuses) && Set.of(404, 502, 503, 504).containsAll(this.statuses)) {
			return Optional.of("the gateway answered instead of the instance: look for its route to the service");
		}
		if (Set.of(401).containsAll(this.statuses)) {
			return Optional.of("only the security filters were warmed: give the catalog credentials, such as"
					+ " headers: { Authorization: \"Bearer {{env.WARMUP_LOGIN}}\" }");
		}
		if (Set.of(401, 403).containsAll(this.statuses)) {
			return Optional.of("the handlers were not reached: look for missing rights, CSRF, Host or Origin checks");
		}
		if (this.statuses.stream().allMatch((status) -> status / 100 == 3)) {
			return Optional.of("redirects are not followed: does the service want HTTPS or another host?");
		}
		return Optional.empty();
	}

}
