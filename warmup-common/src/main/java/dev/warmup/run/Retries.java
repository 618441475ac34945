package dev.warmup.run;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;
import reactor.util.retry.RetryBackoffSpec;

/**
 * The retry policy of this package: pauses that double from the first to the longest,
 * with jitter, so that instances that failed together do not try again together.
 */
final class Retries {

	static final Duration FIRST_ROUTE_PAUSE = Duration.ofMillis(100);

	static final Duration LONGEST_ROUTE_PAUSE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(Retries.class);

	private static final double JITTER = 0.5;

	private Retries() {
	}

	/**
	 * Retries after any error, without end.
	 * @param first the first pause, and the shortest
	 * @param longest the longest pause
	 * @param scheduler the source of time
	 */
	static RetryBackoffSpec backoff(Duration first, Duration longest, Scheduler scheduler) {
		return Retry.backoff(Long.MAX_VALUE, first).maxBackoff(longest).jitter(JITTER).scheduler(scheduler);
	}

	/**
	 * Retries after a {@link NoRouteException} as long as the budget lasts, and logs the
	 * reason whenever it changes. Other errors end it at once.
	 * @param budget bounds each pause, and ends the retries
	 * @param scheduler the source of time
	 */
	static Retry untilRouted(Budget budget, Scheduler scheduler) {
		return Retry.from((failures) -> {
			RouteWait wait = new RouteWait(budget, scheduler);
			return failures.map(RetrySignal::copy).concatMap(wait::next);
		});
	}

	/** One wait; signals come one after another. */
	private static final class RouteWait {

		private final Budget budget;

		private final Scheduler scheduler;

		private String logged = "";

		RouteWait(Budget budget, Scheduler scheduler) {
			this.budget = budget;
			this.scheduler = scheduler;
		}

		Flux<Long> next(RetrySignal signal) {
			if (!(signal.failure() instanceof NoRouteException noRoute)) {
				return Flux.error(signal.failure());
			}
			Duration remaining = this.budget.remaining();
			if (remaining.compareTo(FIRST_ROUTE_PAUSE) <= 0) {
				return Flux.error(noRoute.after(this.logged));
			}
			if (!this.logged.equals(noRoute.getMessage())) {
				this.logged = noRoute.getMessage();
				logger.info("Waiting for a route through the gateway for at most {} s: {}", remaining.toSeconds(),
						this.logged);
			}
			Duration longest = (remaining.compareTo(LONGEST_ROUTE_PAUSE) < 0) ? remaining : LONGEST_ROUTE_PAUSE;
			return backoff(FIRST_ROUTE_PAUSE, longest, this.scheduler).generateCompanion(Flux.just(signal))
				.concatMap((pause) -> this.budget.isOver() ? Mono.error(noRoute) : Mono.just(pause));
		}

	}

}
