package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmReading;

/** What became of one request. A failed request is a value, never an error signal. */
public sealed interface Outcome {

	/**
	 * The scenario the request belongs to.
	 * @return the scenario
	 */
	Scenario scenario();

	/**
	 * The request as the catalog has it.
	 * @return the request
	 */
	RequestTemplate request();

	/**
	 * The time from sending to the last byte of the answer.
	 * @return the latency, zero without an answer
	 */
	default Duration latency() {
		return Duration.ZERO;
	}

	/**
	 * An answer as expected.
	 *
	 * @param scenario the scenario
	 * @param request the request
	 * @param latency from sending to the last byte of the answer
	 * @param gateway the figures of the gateway, if it returned some
	 * @param own whether the instance itself answered, and not another service that the
	 * route leads to
	 */
	record Answered(Scenario scenario, RequestTemplate request, Duration latency, Optional<JvmReading> gateway,
			boolean own) implements Outcome {

		/**
		 * An answer of the instance through a gateway that returns no figures.
		 * @param scenario the scenario
		 * @param request the request
		 * @param latency from sending to the last byte of the answer
		 */
		public Answered(Scenario scenario, RequestTemplate request, Duration latency) {
			this(scenario, request, latency, Optional.empty(), true);
		}

	}

	/**
	 * An answer other than expected.
	 *
	 * @param scenario the scenario
	 * @param request the request
	 * @param latency from sending to the last byte of the answer
	 * @param status its HTTP status
	 * @param problem what was wrong with it, such as {@code 500 (expected 2xx)}
	 * @param byService whether it proved to come from the instance, or from the other
	 * service that its route leads to, and not from something else
	 */
	record Unexpected(Scenario scenario, RequestTemplate request, Duration latency, int status, String problem,
			boolean byService) implements Outcome {

	}

	/**
	 * No answer, or none that could be read to its end.
	 *
	 * @param scenario the scenario
	 * @param request the request
	 * @param problem what happened, such as {@code no answer within 2 s}
	 */
	record Failed(Scenario scenario, RequestTemplate request, String problem) implements Outcome {

	}

	/**
	 * Not sent, because an earlier request of the repetition did not bring what this one
	 * needs.
	 *
	 * @param scenario the scenario
	 * @param request the request
	 */
	record NotSent(Scenario scenario, RequestTemplate request) implements Outcome {

	}

	/**
	 * Given up in the middle because the run's budget was spent: no fact about the
	 * service, so it counts as neither sent nor failed.
	 *
	 * @param scenario the scenario
	 * @param request the request
	 */
	record Cut(Scenario scenario, RequestTemplate request) implements Outcome {

	}

}
