package dev.warmup.catalog;

import java.util.Map;

/** What a request's captures found in its answer. */
public sealed interface Capture {

	/**
	 * Every capture found a value.
	 *
	 * @param values the values by name: strings, numbers, booleans, maps and lists; empty
	 * if the request captures nothing
	 */
	record Found(Map<String, Object> values) implements Capture {

		/** Copies what it is given. */
		public Found {
			values = Map.copyOf(values);
		}

	}

	/**
	 * A capture found nothing, or {@code null}.
	 *
	 * @param name the first capture without a value
	 * @param problem what is wrong, in short words for an operator
	 */
	record Missing(String name, String problem) implements Capture {
	}

}
