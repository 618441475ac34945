package dev.warmup.actuate;

import java.util.Optional;

import dev.warmup.WarmupContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Tags {@code http.server.requests} of a servlet application with {@code warmup}, and its
 * traces of warm-up requests as synthetic.
 */
public final class ServletWarmupTag implements ObservationFilter {

	@Override
	public Observation.Context map(Observation.Context context) {
		if (context instanceof ServerRequestObservationContext request) {
			WarmupTag.add(context,
					Optional.ofNullable(request.getCarrier())
						.map((carrier) -> carrier.getAttribute(WarmupContext.ATTRIBUTE))
						.isPresent());
		}
		return context;
	}

}
