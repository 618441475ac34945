package dev.warmup.actuate;

import java.util.Locale;
import java.util.Optional;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Outcome;
import dev.warmup.run.RunListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Publishes {@code warmup.run}, {@code warmup.request} and {@code warmup.phase}. Timers
 * have their registry's base unit.
 */
final class RunMeters implements RunListener {

	private final MeterRegistry registry;

	private volatile Phase phase = Phase.COLD;

	/**
	 * Registers the gauges, and a timer for each way a run may end: the first failure
	 * then is a rise from zero, which alerts detect, and not a new series.
	 */
	RunMeters(MeterRegistry registry) {
		this.registry = registry;
		for (Trigger trigger : Trigger.values()) {
			for (Verdict verdict : Verdict.values()) {
				runs(trigger, verdict);
			}
		}
		for (Phase each : Phase.values()) {
			Gauge.builder("warmup.phase", () -> (this.phase == each) ? 1 : 0)
				.description("1 for the phase this instance is in, 0 for the others")
				.baseUnit("instances")
				.tag("phase", lower(each))
				.register(registry);
		}
	}

	@Override
	public void onPhase(Phase next) {
		this.phase = next;
	}

	@Override
	public void onRun(RunRecord run) {
		runs(run.trigger(), run.verdict()).record(run.took());
	}

	private Timer runs(Trigger trigger, Verdict verdict) {
		return Timer.builder("warmup.run")
			.description("Runs through one gateway, without the wait for the route")
			.tag("trigger", lower(trigger))
			.tag("verdict", lower(verdict))
			.register(this.registry);
	}

	@Override
	public void onOutcome(Outcome outcome) {
		describe(outcome).ifPresent((result) -> Timer.builder("warmup.request")
			.description("Requests sent to warm up, from sending to the last byte of the answer")
			.tag("scenario", outcome.scenario().name())
			.tag("request", outcome.request().name())
			.tag("outcome", result)
			.register(this.registry)
			.record(outcome.latency()));
	}

	private static Optional<String> describe(Outcome outcome) {
		if (outcome instanceof Outcome.Answered) {
			return Optional.of("expected");
		}
		if (outcome instanceof Outcome.Unexpected || outcome instanceof Outcome.Late) {
			return Optional.of("unexpected");
		}
		return (outcome instanceof Outcome.Failed) ? Optional.of("failed") : Optional.empty();
	}

	private static String lower(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
