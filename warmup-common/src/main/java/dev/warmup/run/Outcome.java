package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmSnapshot;

/** The result of one request. A failed request is a value, never an error signal. */
public sealed interface Outcome {

	/** The scenario the request belongs to. */
	Scenario scenario();

	/** The request as the catalog has it. */
	RequestTemplate request();

	/** The time from sending to the last byte of the answer; zero without an answer. */
	default Duration latency() {
		return Duration.ZERO;
	}

	/** Whether the instance itself answered as expected, in time or not. */
	default boolean own() {
		return false;
	}

	/**
	 * An answer as expected.
	 *
	 * @param gateway the figures of the gateway, if it returned some
	 * @param own whether the instance itself answered, and not another service that the
	 * route leads to
	 */
	record Answered(Scenario scenario, RequestTemplate request, Duration latency, Optional<JvmSnapshot> gateway,
			boolean own) implements Outcome {

		/** An answer of the instance through a gateway that returns no figures. */
		public Answered(Scenario scenario, RequestTemplate request, Duration latency) {
			this(scenario, request, latency, Optional.empty(), true);
		}

	}

	/**
	 * An answer other than expected.
	 *
	 * @param status its HTTP status
	 * @param problem what was wrong with it, such as {@code 500 (expected 2xx)}
	 * @param byService whether it proved to come from the instance, or from the other
	 * service that its route leads to, and not from something else
	 */
	record Unexpected(Scenario scenario, RequestTemplate request, Duration latency, int status, String problem,
			boolean byService) implements Outcome {

	}

	/**
	 * An answer as expected, only slower than the catalog allows.
	 *
	 * @param problem how slow, such as {@code took 700 ms (expected at most 500 ms)}
	 * @param own whether the instance itself answered, and not another service
	 */
	record Late(Scenario scenario, RequestTemplate request, Duration latency, String problem,
			boolean own) implements Outcome {

	}

	/**
	 * No answer, or none that could be read to its end.
	 *
	 * @param problem what happened, such as {@code no answer within 2 s}
	 */
	record Failed(Scenario scenario, RequestTemplate request, String problem) implements Outcome {

	}

	/**
	 * Not sent, because an earlier request of the repetition did not bring what this one
	 * needs.
	 */
	record NotSent(Scenario scenario, RequestTemplate request) implements Outcome {

	}

	/**
	 * Canceled because the run's budget was spent, which shows nothing about the service,
	 * so it counts as neither sent nor failed.
	 */
	record Canceled(Scenario scenario, RequestTemplate request) implements Outcome {

	}

}
