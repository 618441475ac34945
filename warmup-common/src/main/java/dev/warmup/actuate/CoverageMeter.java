package dev.warmup.actuate;

import dev.warmup.insight.Coverage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Publishes {@code warmup.coverage}. */
public final class CoverageMeter {

	/**
	 * Registers the gauge.
	 * @param registry where to publish
	 * @param coverage tells the share, NaN before the first user
	 */
	public CoverageMeter(MeterRegistry registry, Coverage coverage) {
		Gauge.builder("warmup.coverage", coverage, (source) -> source.report().share().orElse(Double.NaN))
			.description("The share of users' requests, today and the day before, that are of a kind runs send")
			.baseUnit("share")
			.register(registry);
	}

}
