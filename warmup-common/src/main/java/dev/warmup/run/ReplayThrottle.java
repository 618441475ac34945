package dev.warmup.run;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Slows one run down while the instance does not answer: each repetition then waits,
 * longer with every failure, so that the run does not keep a circuit breaker open that
 * users share. It also keeps the run to its share of the processors. Thread-safe.
 */
final class ReplayThrottle {

	static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	private final Budget budget;

	private final Scheduler scheduler;

	private final CpuShare cpu;

	private volatile Duration pause = Duration.ZERO;

	ReplayThrottle(Budget budget, Scheduler scheduler, CpuShare cpu) {
		this.budget = budget;
		this.scheduler = scheduler;
		this.cpu = cpu;
	}

	/** Completes when the next repetition may begin, or the budget is over. */
	Mono<Void> next() {
		return Mono.defer(() -> {
			Duration longer = longer(this.pause, this.cpu.pause());
			return longer.isZero() ? Mono.empty()
					: Mono.delay(shorter(longer, this.budget.remaining()), this.scheduler)
						.takeUntilOther(this.budget.whenStopped())
						.then();
		});
	}

	/** Notes an outcome. */
	synchronized void note(Outcome outcome) {
		if (isAnswerOfService(outcome)) {
			this.pause = Duration.ZERO;
		}
		else if (isFailure(outcome)) {
			this.pause = this.pause.isZero() ? FIRST_PAUSE : shorter(this.pause.multipliedBy(2), LONGEST_PAUSE);
		}
	}

	private static boolean isAnswerOfService(Outcome outcome) {
		return outcome instanceof Outcome.Answered
				|| (outcome instanceof Outcome.Unexpected unexpected && unexpected.byService());
	}

	/** A gateway that rejects a request, as with 401, takes no harm from it. */
	private static boolean isFailure(Outcome outcome) {
		return outcome instanceof Outcome.Failed || (outcome instanceof Outcome.Unexpected unexpected
				&& (unexpected.status() / 100 == 5 || unexpected.status() / 100 == 2));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? other : one;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/**
	 * Keeps this JVM to a share of its processors while it is warmed, by waiting for as
	 * long as it was ahead of that share. Thread-safe.
	 */
	static final class CpuShare {

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

}
