package dev.warmup.actuate;

import java.util.Optional;

import dev.warmup.WarmupContext;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

import org.springframework.cloud.gateway.support.tagsprovider.GatewayTagsProvider;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;

/** The marks of warm-up traffic on meters and traces. */
final class WarmupTags {

	/**
	 * On meters: {@code true} or {@code false}, always there, as a registry may demand.
	 */
	public static final String NAME = "warmup";

	private WarmupTags() {
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

	/**
	 * Tags {@code http.server.requests} of a reactive application with {@code warmup},
	 * and its traces of warm-up requests as synthetic.
	 */
	public static final class Reactive implements ObservationFilter {

		@Override
		public Observation.Context map(Observation.Context context) {
			if (context instanceof ServerRequestObservationContext request) {
				add(context, request.getAttributes().containsKey(WarmupContext.ATTRIBUTE));
			}
			return context;
		}

	}

	/**
	 * Tags {@code http.server.requests} of a servlet application with {@code warmup}, and
	 * its traces of warm-up requests as synthetic.
	 */
	public static final class Servlet implements ObservationFilter {

		@Override
		public Observation.Context map(Observation.Context context) {
			if (context instanceof org.springframework.http.server.observation.ServerRequestObservationContext request) {
				add(context,
						Optional.ofNullable(request.getCarrier())
							.map((carrier) -> carrier.getAttribute(WarmupContext.ATTRIBUTE))
							.isPresent());
			}
			return context;
		}

	}

	/**
	 * Tags the gateway's own request timer with {@code warmup}, always, as a registry may
	 * demand.
	 */
	public static final class Gateway implements GatewayTagsProvider {

		@Override
		public Tags apply(ServerWebExchange exchange) {
			return Tags.of(NAME, String.valueOf(exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)));
		}

	}

}
