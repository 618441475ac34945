package dev.warmup.run;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.protocol.Instance;
import dev.warmup.run.GatewayClient.Answer;

/** The result of one request. A failed request is a value, never an error signal. */
public sealed interface Outcome {

	/** Judges an answer that an instance got to a request. */
	static Outcome of(Answer answer, RequestTemplate request, Instance self) {
		boolean own = answer.instance().filter(self.instanceId()::equals).isPresent();
		boolean foreign = answer.service().filter((service) -> !service.equalsIgnoreCase(self.service())).isPresent();
		if (!own && !foreign) {
			return new Unexpected(answer.latency(), answer.status(), unproved(answer, request), false);
		}
		return of(answer, request, own);
	}

	/** Judges an answer whose origin is known. */
	static Outcome of(Answer answer, RequestTemplate request, boolean own) {
		Optional<String> mismatch = answer.text()
			.map((text) -> request.expect().mismatch(answer.status(), text))
			.orElse(Optional.of("answer larger than 1 MiB"));
		if (mismatch.isPresent()) {
			return new Unexpected(answer.latency(), answer.status(), mismatch.get(), true);
		}
		RequestTemplate.Capture capture = request.capture(answer.headers(), answer.text().orElse(""));
		return (capture instanceof RequestTemplate.Capture.Missing missing)
				? new Unexpected(answer.latency(), answer.status(), missing.problem(), true)
				: new Expected(answer.latency(), own, ((RequestTemplate.Capture.Found) capture).values());
	}

	/** The body of an answer without proof is not looked at. */
	private static String unproved(Answer answer, RequestTemplate request) {
		int status = answer.status();
		String what = request.expect().accepts(status) ? String.valueOf(status)
				: request.expect().mismatch(status, "").orElse(String.valueOf(status));
		String who = (status == 421) ? "another instance answered"
				: answer.service().isEmpty() ? "the gateway itself answered" + (request.expect().accepts(status)
						? ": move the request to a catalog of the gateway, in a scenario with its service name" : "")
						: (status >= 502 && status <= 504) ? "the gateway had no answer of the instance"
								: "a cache, a circuit breaker's fallback or a filter answered instead of the instance";
		return what + ", " + who;
	}

	/**
	 * Whether it shows that requests reach a service by this gateway: not what a gateway
	 * answers, or that it does not, while a route or an instance is missing for now.
	 */
	default boolean showsRoute() {
		return this instanceof Expected;
	}

	/** From sending to the last byte; zero without an answer. */
	default Duration latency() {
		return Duration.ZERO;
	}

	/** What was wrong; empty where nothing was. */
	default String problem() {
		return "";
	}

	/**
	 * An answer as expected.
	 *
	 * @param own whether the instance proved that it answered, and not another service
	 * that the route leads to
	 * @param captured what later requests may use, by name
	 */
	record Expected(Duration latency, boolean own, Map<String, Object> captured) implements Outcome {

	}

	/**
	 * An answer other than expected.
	 *
	 * @param status its HTTP status
	 * @param problem what was wrong with it, such as {@code 500 (expected 2xx)}
	 * @param proved whether it is the instance's, or that of the other service to which
	 * its route leads
	 */
	record Unexpected(Duration latency, int status, String problem, boolean proved) implements Outcome {

		private static final Set<Integer> TEMPORARY = Set.of(404, 408, 421, 425);

		/** Waiting does not change what a gateway decides for itself, such as 401. */
		@Override
		public boolean showsRoute() {
			return this.proved
					|| !(this.status / 100 == 2 || this.status / 100 == 5 || TEMPORARY.contains(this.status));
		}

	}

	/**
	 * No answer, or none that could be read to its end.
	 *
	 * @param problem what happened, such as {@code no answer within 2000 ms}
	 */
	record Unanswered(String problem) implements Outcome {

	}

	/**
	 * Not sent, because what it needs is missing.
	 *
	 * @param problem what happened, or empty where an earlier request of the repetition
	 * did not bring it
	 */
	record NotSent(String problem) implements Outcome {

	}

}
