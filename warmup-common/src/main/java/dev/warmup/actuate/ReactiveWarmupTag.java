package dev.warmup.actuate;

import dev.warmup.WarmupContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;

/**
 * Tags {@code http.server.requests} of a reactive application with {@code warmup}, and
 * its traces of warm-up requests as synthetic.
 */
public final class ReactiveWarmupTag implements ObservationFilter {

	@Override
	public Observation.Context map(Observation.Context context) {
		if (context instanceof ServerRequestObservationContext request) {
			WarmupTag.add(context, request.getAttributes().containsKey(WarmupContext.ATTRIBUTE));
		}
		return context;
	}

}
