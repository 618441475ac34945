package dev.warmup.meter;

import java.util.Locale;
import java.util.Optional;

import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;
import dev.warmup.replay.Outcome;
import dev.warmup.run.RunListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Publishes {@code warmup.run}, {@code warmup.request} and {@code warmup.phase}. Timers
 * have their registry's base unit.
 */
public final class RunMeters implements RunListener {

	private final MeterRegistry registry;

	private volatile Phase phase = Phase.COLD;

	/**
	 * Registers the gauges.
	 * @param registry where to publish
	 */
	public RunMeters(MeterRegistry registry) {
		this.registry = registry;
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
		Timer.builder("warmup.run")
			.description("Runs through one gateway, without the wait for the way")
			.tag("trigger", lower(run.trigger()))
			.tag("verdict", lower(run.verdict()))
			.register(this.registry)
			.record(run.took());
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
		if (outcome instanceof Outcome.Unexpected) {
			return Optional.of("unexpected");
		}
		return (outcome instanceof Outcome.Failed) ? Optional.of("failed") : Optional.empty();
	}

	private static String lower(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
