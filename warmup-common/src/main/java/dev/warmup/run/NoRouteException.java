package dev.warmup.run;

import java.util.Optional;
import java.util.Set;

import dev.warmup.Gateway;

/** There is no route through a gateway to this instance yet. */
final class NoRouteException extends RuntimeException {

	/** What a gateway answers while a route or an instance is missing for now. */
	private static final Set<Integer> TEMPORARY = Set.of(404, 408, 421, 425, 429);

	private final String reason;

	private final boolean cut;

	/**
	 * Creates the exception.
	 * @param reason why there is none
	 */
	NoRouteException(String reason) {
		this(reason, false);
	}

	private NoRouteException(String reason, boolean cut) {
		super(reason, null, false, false);
		this.reason = reason;
		this.cut = cut;
	}

	/**
	 * Creates the exception for an attempt that the end of the budget cut.
	 * @param reason what the attempt was waiting for
	 */
	static NoRouteException cut(String reason) {
		return new NoRouteException(reason, true);
	}

	/**
	 * Looks for a temporary reason in the outcome of a run's first request.
	 * @param outcome of that request
	 * @param gateway the gateway it went through
	 * @param accepted whether the gateway accepted the instance's registration
	 * @return why there is no route yet, or empty when there is one, or when waiting for
	 * it would not help
	 */
	static Optional<NoRouteException> in(Outcome outcome, Gateway gateway, boolean accepted) {
		if (outcome instanceof Outcome.Cut) {
			return Optional.of(cut(through(gateway, outcome, "no answer before the budget was spent")));
		}
		if (outcome instanceof Outcome.Failed failed) {
			return Optional.of(new NoRouteException(through(gateway, outcome, failed.problem())));
		}
		if (outcome instanceof Outcome.Unexpected unexpected && !unexpected.byService()) {
			return (accepted ? insteadOfService(gateway, unexpected) : Optional.of(withoutLibrary(gateway, unexpected)))
				.map(NoRouteException::new);
		}
		return Optional.empty();
	}

	/** Waiting does not change what a gateway decides for itself, such as 401. */
	private static Optional<String> insteadOfService(Gateway gateway, Outcome.Unexpected unexpected) {
		int status = unexpected.status();
		if (status / 100 == 2) {
			return Optional.of(through(gateway, unexpected,
					unexpected.problem() + "; look for a cache or a circuit breaker's fallback in the gateway"));
		}
		return (status / 100 == 5 || TEMPORARY.contains(status))
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

	/**
	 * Puts the reason of earlier attempts in front where this attempt was cut: it may
	 * know no more than that the budget had ended.
	 * @param earlier the reason of the attempts before, or an empty string
	 * @return this exception, or one with both reasons
	 */
	NoRouteException after(String earlier) {
		return (this.cut && !earlier.isEmpty()) ? cut(earlier + "; then " + this.reason) : this;
	}

	@Override
	public String getMessage() {
		return this.reason;
	}

}
