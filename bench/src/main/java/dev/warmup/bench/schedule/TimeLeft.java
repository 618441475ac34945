package dev.warmup.bench.schedule;

import java.time.Duration;
import java.util.Collection;

/** Estimates how long the rest takes, by how the done part kept to its estimates. */
final class TimeLeft {

	private Duration expected = Duration.ZERO;

	private Duration taken = Duration.ZERO;

	/**
	 * Learns from a step that was done.
	 * @param step the step
	 * @param duration how long it took
	 */
	void learn(Step step, Duration duration) {
		this.expected = this.expected.plus(step.expected());
		this.taken = this.taken.plus(duration);
	}

	/**
	 * Estimates.
	 * @param rest what is still to be done
	 * @return the sum of their expectations, times how much longer the done ones took
	 * than expected; times 1 as long as there is none
	 */
	Duration of(Collection<Turn> rest) {
		long millis = rest.stream().mapToLong((turn) -> turn.step().expected().toMillis()).sum();
		return Duration.ofMillis(Math.round(millis * factor()));
	}

	private double factor() {
		return this.expected.isZero() ? 1 : (double) this.taken.toMillis() / this.expected.toMillis();
	}

}
