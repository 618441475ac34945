package dev.warmup.actuate;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/** The marks of warm-up traffic on meters and traces. */
public final class WarmupTag {

	/**
	 * On meters: {@code true} or {@code false}, always there, as a registry may demand.
	 */
	public static final String NAME = "warmup";

	private WarmupTag() {
	}

	/**
	 * Marks an observation.
	 * @param context the observation's context
	 * @param warmup whether it observes warm-up; the trace's mark is OpenTelemetry's
	 * attribute for synthetic traffic
	 */
	static void add(Observation.Context context, boolean warmup) {
		context.addLowCardinalityKeyValue(KeyValue.of(NAME, String.valueOf(warmup)));
		if (warmup) {
			context.addHighCardinalityKeyValue(KeyValue.of("user_agent.synthetic.type", "test"));
		}
	}

}
