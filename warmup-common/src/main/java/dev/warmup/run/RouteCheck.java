package dev.warmup.run;

import java.util.Optional;
import java.util.Set;

import dev.warmup.Gateway;

/** Says why the first request of a run found no way to the instance. */
final class RouteCheck {

	/** What comes of a route or an instance that is missing for now. */
	private static final Set<Integer> FOR_NOW = Set.of(404, 408, 421, 425, 429);

	private RouteCheck() {
	}

	/**
	 * Looks for an obstacle that may go away.
	 * @param outcome of the first request
	 * @param gateway what it went through
	 * @param known whether the gateway said that it knows the instance
	 * @return what stands in the way, or empty when it is open, or closed for good
	 */
	static Optional<NoRouteException> in(Outcome outcome, Gateway gateway, boolean known) {
		if (outcome instanceof Outcome.Cut) {
			return Optional
				.of(NoRouteException.cut(through(gateway, outcome, "no answer before the budget was spent")));
		}
		if (outcome instanceof Outcome.Failed failed) {
			return Optional.of(new NoRouteException(through(gateway, outcome, failed.problem())));
		}
		if (outcome instanceof Outcome.Unexpected unexpected && !unexpected.byService()) {
			return (known ? insteadOfService(gateway, unexpected) : Optional.of(withoutLibrary(gateway, unexpected)))
				.map(NoRouteException::new);
		}
		return Optional.empty();
	}

	/** What a gateway decides for itself, such as 401, waiting does not change. */
	private static Optional<String> insteadOfService(Gateway gateway, Outcome.Unexpected unexpected) {
		int status = unexpected.status();
		if (status / 100 == 2) {
			return Optional.of(through(gateway, unexpected,
					unexpected.problem() + "; look for a cache or a circuit breaker's fallback in the gateway"));
		}
		return (status / 100 == 5 || FOR_NOW.contains(status))
				? Optional.of(through(gateway, unexpected, unexpected.problem())) : Optional.empty();
	}

	private static String withoutLibrary(Gateway gateway, Outcome.Unexpected unexpected) {
		return ("gateway %s answered without proof of the instance (%s: %d): it has no warmup-common, or another"
				+ " instance answered; add dev.warmup:warmup-common to the gateway")
			.formatted(gateway.id(), request(unexpected), unexpected.status());
	}

	private static String through(Gateway gateway, Outcome outcome, String problem) {
		return "%s through gateway %s: %s".formatted(request(outcome), gateway.id(), problem);
	}

	private static String request(Outcome outcome) {
		return outcome.request().method() + " " + outcome.request().path().source();
	}

}
