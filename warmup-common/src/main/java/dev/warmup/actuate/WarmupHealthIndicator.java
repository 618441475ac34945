package dev.warmup.actuate;

import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health {@value #NAME}: UP when the gate is open, OUT_OF_SERVICE before. */
final class WarmupHealthIndicator implements HealthIndicator {

	/** Its name in health, and in the readiness group. */
	public static final String NAME = "warmup";

	private final Gate gate;

	private final Supplier<Optional<Phase>> phase;

	/**
	 * Creates the indicator.
	 * @param gate whether the instance may take users
	 * @param phase how warm the instance is; empty on a gateway
	 */
	WarmupHealthIndicator(Gate gate, Supplier<Optional<Phase>> phase) {
		this.gate = gate;
		this.phase = phase;
	}

	@Override
	public Health health() {
		Health.Builder health = this.gate.isOpen() ? Health.up() : Health.outOfService();
		this.phase.get().ifPresent((phase) -> health.withDetail("phase", phase));
		return health.withDetail("gate", this.gate.position()).build();
	}

}
