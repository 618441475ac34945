package dev.warmup.actuate;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/** The marks of warm-up traffic on meters and traces. */
final class WarmupTags {

	/** On meters: {@code true} or {@code false}, for warm-up and users. */
	static final String NAME = "warmup";

	private WarmupTags() {
	}

	/**
	 * Tags an observation, and its trace, if it is of warm-up, as synthetic traffic by
	 * OpenTelemetry's attribute.
	 */
	static Observation.Context add(Observation.Context context, boolean warmup) {
		context.addLowCardinalityKeyValue(KeyValue.of(NAME, String.valueOf(warmup)));
		if (warmup) {
			context.addHighCardinalityKeyValue(KeyValue.of("user_agent.synthetic.type", "test"));
		}
		return context;
	}

}
