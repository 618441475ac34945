package dev.warmup.run;

import java.util.Optional;
import java.util.Set;

/** Guesses at the cause when all failures of a run look alike. */
final class Advice {

	private Advice() {
	}

	/**
	 * Explains failing answers.
	 * @param statuses the HTTP statuses of all answers other than expected
	 * @param unproved the statuses of those among them that nothing proves to be the
	 * instance's
	 * @return what to look for, or empty when the statuses do not point anywhere
	 */
	static Optional<String> on(Set<Integer> statuses, Set<Integer> unproved) {
		if (statuses.isEmpty()) {
			return Optional.empty();
		}
		if (unproved.stream().anyMatch((status) -> status / 100 == 2)) {
			return Optional.of("something answered in the instance's stead: a gateway without warmup-common"
					+ " (add dev.warmup:warmup-common to it), a cache, or a circuit breaker's fallback");
		}
		if (Set.of(421).containsAll(statuses)) {
			return Optional.of("the requests were sent to other instances: add dev.warmup:warmup-common to the gateway"
					+ ", which then sends them to the instance that they warm");
		}
		if (unproved.containsAll(statuses) && Set.of(404, 502, 503, 504).containsAll(statuses)) {
			return Optional.of("the gateway answered in the instance's stead: look for its route to the service"
					+ ", and whether it has dev.warmup:warmup-common");
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
