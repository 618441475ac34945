package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.Gateway;
import org.jspecify.annotations.Nullable;
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

	static final String ROUTE = "a route through the gateway";

	private static final Duration FIRST_ROUTE_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_ROUTE_PAUSE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(Retries.class);

	private static final double JITTER = 0.5;

	private Retries() {
	}

	/** Retries after any error, without end. */
	static RetryBackoffSpec backoff(Duration first, Duration longest, Scheduler scheduler) {
		return Retry.backoff(Long.MAX_VALUE, first).maxBackoff(longest).jitter(JITTER).scheduler(scheduler);
	}

	/**
	 * Retries after a {@link NoRouteException} as long as the budget lasts, and logs the
	 * reason whenever it changes. Other errors end it at once.
	 * @param what what is waited for, such as {@value #ROUTE}
	 */
	static Retry waitingFor(String what, Budget budget, Scheduler scheduler) {
		return Retry.from((failures) -> {
			AtomicReference<@Nullable String> logged = new AtomicReference<>();
			return failures.map(RetrySignal::copy)
				.concatMap((signal) -> pause(what, signal, logged, budget, scheduler));
		});
	}

	private static Flux<Long> pause(String what, RetrySignal signal, AtomicReference<@Nullable String> logged,
			Budget budget, Scheduler scheduler) {
		if (!(signal.failure() instanceof NoRouteException noRoute)) {
			return Flux.error(signal.failure());
		}
		Duration remaining = budget.remaining();
		Duration longest = (remaining.compareTo(LONGEST_ROUTE_PAUSE) < 0) ? remaining : LONGEST_ROUTE_PAUSE;
		if (longest.compareTo(FIRST_ROUTE_PAUSE) <= 0) {
			return Flux.error(reason(noRoute.after(logged.get()), budget));
		}
		if (!noRoute.getMessage().equals(logged.getAndSet(noRoute.getMessage()))) {
			logger.info("Waiting for {} for at most {} s: {}", what, remaining.toSeconds(), noRoute.getMessage());
		}
		return backoff(FIRST_ROUTE_PAUSE, longest, scheduler).generateCompanion(Flux.just(signal))
			.concatMap((pause) -> budget.isOver() ? Mono.error(reason(noRoute, budget)) : Mono.just(pause));
	}

	private static NoRouteException reason(NoRouteException noRoute, Budget budget) {
		return budget.isStopped() ? new NoRouteException(noRoute.getMessage() + "; the run was stopped") : noRoute;
	}

	/** There is no route through a gateway to this instance yet. */
	static class NoRouteException extends RuntimeException {

		/** What a gateway answers while a route or an instance is missing for now. */
		private static final Set<Integer> TEMPORARY = Set.of(404, 408, 421, 425, 429);

		private final String reason;

		/** Whether the end of the budget canceled the attempt. */
		private final boolean canceled;

		NoRouteException(String reason) {
			this(reason, false);
		}

		NoRouteException(String reason, boolean canceled) {
			super(reason, null, false, false);
			this.reason = reason;
			this.canceled = canceled;
		}

		/**
		 * Looks for a temporary reason in the outcome of a run's first request.
		 * @return empty when there is a route, or when waiting for it would not help
		 */
		static Optional<NoRouteException> in(Outcome outcome, Gateway gateway) {
			String request = outcome.request().method() + " " + outcome.request().path().source();
			String through = "%s through gateway %s: ".formatted(request, gateway.id());
			if (outcome instanceof Outcome.Canceled) {
				return Optional.of(new NoRouteException(through + "no answer before the budget was spent", true));
			}
			if (outcome instanceof Outcome.Failed failed) {
				return Optional.of(new NoRouteException(through + failed.problem()));
			}
			if (!(outcome instanceof Outcome.Unexpected unexpected) || unexpected.byService()) {
				return Optional.empty();
			}
			int status = unexpected.status();
			if (status / 100 == 2) {
				return Optional.of(new NoRouteException(through + unexpected.problem()
						+ "; look for a cache or a circuit breaker's fallback in the gateway"));
			}
			// Waiting does not change what a gateway decides for itself, such as 401.
			return (status / 100 == 5 || TEMPORARY.contains(status))
					? Optional.of(new NoRouteException(through + unexpected.problem())) : Optional.empty();
		}

		/**
		 * Puts the reason of the attempts before, if any, in front where this attempt was
		 * canceled: it may know no more than that the budget had ended.
		 */
		private NoRouteException after(@Nullable String earlier) {
			return (this.canceled && earlier != null)
					? new NoRouteException(earlier + "; the last attempt had no answer before the budget was spent")
					: this;
		}

		@Override
		public String getMessage() {
			return this.reason;
		}

	}

}
