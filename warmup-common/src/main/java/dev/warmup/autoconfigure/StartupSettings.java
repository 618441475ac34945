package dev.warmup.autoconfigure;

import java.time.Duration;
import java.util.Locale;

import dev.warmup.protocol.Trigger;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The run at start.
 *
 * @param budget the time a run may wait for its way through all gateways, and the time it
 * may send requests once that is found: users wait at most twice as long for the gate to
 * open, and as long as busy gateways put the run off
 * @param concurrency how many scenarios are replayed side by side at most: a run begins
 * with one, and adds one every five rounds
 * @param minRepetitions how often a scenario of average weight is repeated at least
 * through each gateway, within the budget
 * @param maxRepetitions how often at most, should it not be steady before
 * @param trigger startup, or train while a cache of the JVM is trained: which scenarios
 * the run at start replays
 */
public record StartupSettings(@DefaultValue("60s") Duration budget, @DefaultValue("1") int concurrency,
		@DefaultValue("50") int minRepetitions, @DefaultValue("5000") int maxRepetitions,
		@DefaultValue("startup") Trigger trigger) {

	public StartupSettings {
		if (budget.isNegative() || budget.isZero()) {
			throw WarmupProperties.invalid("startup.budget", budget, "It must be longer than zero.");
		}
		if (concurrency < 1) {
			throw WarmupProperties.invalid("startup.concurrency", concurrency, "It must be at least 1.");
		}
		if (minRepetitions < 1) {
			throw WarmupProperties.invalid("startup.min-repetitions", minRepetitions, "It must be at least 1.");
		}
		if (maxRepetitions < minRepetitions) {
			throw WarmupProperties.invalid("startup.max-repetitions", maxRepetitions,
					"It must be at least min-repetitions, which is %d.".formatted(minRepetitions));
		}
		if (trigger != Trigger.STARTUP && trigger != Trigger.TRAIN) {
			throw WarmupProperties.invalid("startup.trigger", trigger.name().toLowerCase(Locale.ROOT),
					"It must be startup or train.");
		}
	}

}
