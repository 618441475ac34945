package dev.warmup.run;

import java.time.Duration;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * How fast one run goes: without a pause, until a request gets no answer, or one in the
 * instance's stead. From then on each repetition waits, longer with every failure, until
 * the instance answers again; so that a run does not keep a circuit breaker open that
 * users share. Waits, too, for the processor time that it took beyond its share.
 * Thread-safe.
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

	/** Takes note of what became of a request. */
	synchronized void note(Outcome outcome) {
		if (isAnswerOfAService(outcome)) {
			this.pause = Duration.ZERO;
		}
		else if (isFailure(outcome)) {
			this.pause = this.pause.isZero() ? FIRST_PAUSE : shorter(this.pause.multipliedBy(2), LONGEST_PAUSE);
		}
	}

	private static boolean isAnswerOfAService(Outcome outcome) {
		return outcome instanceof Outcome.Answered
				|| (outcome instanceof Outcome.Unexpected unexpected && unexpected.byService());
	}

	/** A gateway that turns a request away, as with 401, does not suffer from it. */
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

}
