package dev.warmup.actuate;

import java.util.Locale;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.RequestSent;
import dev.warmup.run.RunEnded;
import dev.warmup.service.OwnState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.event.EventListener;

/** Publishes {@code warmup.run}, {@code warmup.request}, and {@code warmup.phase}. */
final class RunMeters {

	private final MeterRegistry registry;

	/**
	 * Registers the gauges, and a timer for each way a run may end: the first failure
	 * then is a rise from zero, which alerts detect, and not a new series.
	 */
	RunMeters(MeterRegistry registry, OwnState state) {
		this.registry = registry;
		for (Trigger trigger : Trigger.values()) {
			for (Verdict verdict : Verdict.values()) {
				runs(trigger, verdict);
			}
		}
		for (Phase phase : Phase.values()) {
			Gauge.builder("warmup.phase", () -> (state.phase() == phase) ? 1 : 0)
				.description("1 for the phase this instance is in, 0 for the others")
				.baseUnit("instances")
				.tag("phase", lower(phase))
				.register(registry);
		}
	}

	@EventListener
	void onRunEnded(RunEnded event) {
		RunRecord run = event.run();
		run.verdict().ifPresent((verdict) -> runs(run.trigger(), verdict).record(run.took()));
	}

	@EventListener
	void onRequest(RequestSent event) {
		Timer.builder("warmup.request")
			.description("Requests sent to warm up, from sending to the last byte of the answer")
			.tag("scenario", event.scenario())
			.tag("request", event.request())
			.tag("outcome", event.outcome())
			.register(this.registry)
			.record(event.latency());
	}

	private Timer runs(Trigger trigger, Verdict verdict) {
		return Timer.builder("warmup.run")
			.description("Warm-up runs, from the first answer")
			.tag("trigger", lower(trigger))
			.tag("verdict", lower(verdict))
			.register(this.registry);
	}

	private static String lower(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
