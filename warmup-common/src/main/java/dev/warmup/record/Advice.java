package dev.warmup.record;

import java.util.Optional;
import java.util.Set;

/** Guesses at the cause when all failures of a run look alike. */
final class Advice {

	private Advice() {
	}

	/**
	 * Explains failing answers.
	 * @param statuses the HTTP statuses of all answers other than expected
	 * @return what to look for, or empty when the statuses do not point anywhere
	 */
	static Optional<String> on(Set<Integer> statuses) {
		if (statuses.isEmpty()) {
			return Optional.empty();
		}
		if (Set.of(401).containsAll(statuses)) {
			return Optional.of("only the security filters were warmed: give the catalog credentials, such as"
					+ " headers: { Authorization: \"Bearer {{env.WARMUP_TOKEN}}\" }");
		}
		if (Set.of(401, 403).containsAll(statuses)) {
			return Optional.of("the handlers were not reached: look for missing rights, CSRF, Host or Origin checks");
		}
		if (statuses.stream().allMatch((status) -> status / 100 == 3)) {
			return Optional.of("redirects are not followed: does the service want HTTPS or another host?");
		}
		return Optional.empty();
	}

}
