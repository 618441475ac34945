package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * Tries again while there is no way, after growing pauses with jitter, as long as the
 * budget lasts. Says what it waits for whenever that changes, and at the end both that
 * and that the last attempt was cut, if it was.
 */
final class RouteRetry extends Retry {

	static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(RouteRetry.class);

	private final Budget budget;

	private final Scheduler scheduler;

	RouteRetry(Budget budget, Scheduler scheduler) {
		this.budget = budget;
		this.scheduler = scheduler;
	}

	@Override
	public Flux<Long> generateCompanion(Flux<RetrySignal> failures) {
		return Flux.defer(() -> {
			StringBuilder told = new StringBuilder();
			return failures.map(RetrySignal::copy).concatMap((failure) -> {
				Duration pause = pause(failure.totalRetries());
				if (!(failure.failure() instanceof NoRouteException noWay)) {
					return Mono.error(failure.failure());
				}
				if (this.budget.remaining().compareTo(pause) <= 0) {
					return Mono.error(noWay.after(told.toString()));
				}
				if (!told.toString().equals(noWay.getMessage())) {
					told.replace(0, told.length(), noWay.getMessage());
					logger.info("RouteRetry for the way, at most {} s more: {}", this.budget.remaining().toSeconds(),
							noWay.getMessage());
				}
				return Mono.delay(pause, this.scheduler)
					.flatMap((tick) -> this.budget.isOver() ? Mono.error(noWay) : Mono.just(tick));
			});
		});
	}

	/** Between half and all of a pause that doubles each time. */
	private static Duration pause(long retries) {
		Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(retries, 16));
		long longest = ((doubled.compareTo(LONGEST_PAUSE) < 0) ? doubled : LONGEST_PAUSE).toMillis();
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
	}

}
