package dev.warmup.autoconfigure;

import dev.warmup.run.SteadyCriteria;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What counts as warm: the latency of each request has settled, and neither this
 * application nor the gateway compiles much any more.
 *
 * @param tolerance the share by which the latency of a request may still fall over the
 * window
 * @param maxSpread the share of its median by which half of a request's answers may
 * differ from it
 * @param window how many answers of each request are looked at, the last ones; at least 5
 * @param maxJit the share of its processors that the compiler of a JVM may still take
 * @param maxClasses how many classes a second a JVM may still load
 */
public record SteadySettings(@DefaultValue("0.1") double tolerance, @DefaultValue("0.3") double maxSpread,
		@DefaultValue("100") int window, @DefaultValue("0.5") double maxJit, @DefaultValue("50") double maxClasses) {

	public SteadySettings {
		if (!(tolerance > 0)) {
			throw WarmupProperties.invalid("steady.tolerance", tolerance, "It must be above 0, such as 0.1.");
		}
		if (!(maxSpread > 0)) {
			throw WarmupProperties.invalid("steady.max-spread", maxSpread, "It must be above 0, such as 0.3.");
		}
		if (window < 5) {
			throw WarmupProperties.invalid("steady.window", window, "It must be at least 5.");
		}
		if (!(maxJit > 0)) {
			throw WarmupProperties.invalid("steady.max-jit", maxJit, "It must be above 0, such as 0.5.");
		}
		if (!(maxClasses >= 0)) {
			throw WarmupProperties.invalid("steady.max-classes", maxClasses, "It must not be negative.");
		}
	}

	SteadyCriteria steadiness() {
		return new SteadyCriteria(this.tolerance, this.maxSpread, this.window, this.maxJit, this.maxClasses);
	}

}
