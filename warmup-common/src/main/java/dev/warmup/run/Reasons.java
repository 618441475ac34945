package dev.warmup.run;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Describes why a run did not end warm, with advice. */
final class Reasons {

	private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

	private Reasons() {
	}

	/** The first problem, and what the statuses of all failures point to. */
	static String of(List<String> problems, Set<Integer> statuses) {
		if (problems.isEmpty()) {
			return "no answer was this instance's own: the catalog's routes lead to other services, or to fixed addresses"
					+ " instead of lb://";
		}
		String others = (problems.size() == 1) ? "" : ", and %d more".formatted(problems.size() - 1);
		return onOneLine(problems.get(0) + others + advice(statuses));
	}

	/** Without what would break a line of the log. */
	static String onOneLine(String text) {
		return LINE_BREAKS.matcher(text).replaceAll(" ");
	}

	private static String advice(Set<Integer> statuses) {
		if (statuses.contains(429)) {
			return ": 429 comes from a rate limiter that is not the gateway's admission of warm-up: raise its limit for"
					+ " this instance's address, or let it pass these paths";
		}
		if (!statuses.isEmpty() && Set.of(401, 403).containsAll(statuses)) {
			return ": only the security filters were warmed: let the requests log in by a WarmupClientCustomizer bean,"
					+ " or by a header such as Authorization: \"Bearer {{file:/run/secrets/login}}\" or \"Bearer"
					+ " {{env.WARMUP_LOGIN}}\"" + (statuses.contains(403)
							? "; 403 also comes from missing rights, and from CSRF, Host or Origin checks" : "");
		}
		return statuses.stream().anyMatch((status) -> status / 100 == 3)
				? ": redirects are not followed: does the service want HTTPS or another host?" : "";
	}

}
