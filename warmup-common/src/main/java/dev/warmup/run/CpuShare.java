package dev.warmup.run;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps this JVM to a share of its processors while it is warmed, by waiting for as long
 * as it was ahead of that share. Thread-safe.
 */
final class CpuShare {

	/** Waits are short, so that a run ends when it is stopped. */
	static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final double share;

	private final int processors;

	private final Supplier<Duration> cpu;

	private final LongSupplier nanoTime;

	private final Duration cpuAtStart;

	private final long start;

	private Duration paused = Duration.ZERO;

	/**
	 * Starts to count.
	 * @param share above 0; from 1 on nothing is held back
	 * @param processors how many the JVM has
	 * @param cpu the processor time that it took since its start
	 * @param nanoTime the clock
	 */
	CpuShare(double share, int processors, Supplier<Duration> cpu, LongSupplier nanoTime) {
		this.share = share;
		this.processors = processors;
		this.cpu = cpu;
		this.nanoTime = nanoTime;
		this.cpuAtStart = cpu.get();
		this.start = nanoTime.getAsLong();
	}

	/** How long to wait before more is sent. */
	synchronized Duration pause() {
		if (this.share >= 1) {
			return Duration.ZERO;
		}
		double taken = this.cpu.get().minus(this.cpuAtStart).toNanos() / (this.share * this.processors);
		long ahead = Math.round(taken) - (this.nanoTime.getAsLong() - this.start);
		Duration pause = Duration.ofNanos(Math.max(0, Math.min(ahead, LONGEST_PAUSE.toNanos())));
		this.paused = this.paused.plus(pause);
		return pause;
	}

	/** How long the run waited, or empty when it did not. */
	synchronized Optional<String> finding() {
		return this.paused.isZero() ? Optional.empty()
				: Optional.of(String.format(Locale.ROOT,
						"The run waited %.1f s, to take no more than %.2f of %d processors (warmup.cpu.max-share).",
						this.paused.toNanos() / 1e9, this.share * this.processors, this.processors));
	}

}
