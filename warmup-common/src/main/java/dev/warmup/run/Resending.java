package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * Sends a request again where that changes nothing but who gets it: when another instance
 * turned it away unread (421), and when a gateway has enough to do for now (429 with
 * {@code Retry-After}). Waits that a gateway asks for do not count.
 */
final class Resending {

	/** Enough to meet each of a few instances behind one address. */
	static final int MISDIRECTED_AT_MOST = 20;

	static final Duration MISDIRECTED_PAUSE = Duration.ofMillis(10);

	static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	/** How often a gateway may put off what cleans up once the budget is spent. */
	private static final int CLEANUP_TRIES = 3;

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	private final Scheduler scheduler;

	Resending(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Sends until something else comes back, or the budget is spent.
	 * @param once sends once at each subscription
	 * @param session whose budget it takes
	 * @param cleanup whether to send though the budget is spent
	 * @return what came back at last
	 */
	Mono<Reply> send(Mono<Reply> once, Session session, boolean cleanup) {
		return once.map((reply) -> new Attempt(reply, 0, 0))
			.expand((last) -> again(last, once, session, cleanup))
			.last()
			.map(Attempt::reply);
	}

	private Mono<Attempt> again(Attempt last, Mono<Reply> once, Session session, boolean cleanup) {
		Budget budget = session.budget();
		if (!(last.reply() instanceof Reply.Answer answer) || answer.proves(session)
				|| (budget.isOver() && !(cleanup && last.postponed() < CLEANUP_TRIES))) {
			return Mono.empty();
		}
		Mono<Reply> next = cleanup ? once
				: Mono.defer(() -> budget.isOver() ? Mono.just(inTheEnd(answer, budget)) : once);
		if (answer.status() == HttpStatus.MISDIRECTED_REQUEST.value()) {
			return (last.misdirected() == MISDIRECTED_AT_MOST) ? Mono.empty()
					: Mono.delay(MISDIRECTED_PAUSE, this.scheduler)
						.then(next)
						.map((reply) -> new Attempt(reply, last.misdirected() + 1, last.postponed()));
		}
		return retryAfter(answer).map((asked) -> {
			Duration pause = pause(asked, last.postponed());
			budget.excuse(pause);
			return delay(pause, budget, cleanup).then(next)
				.map((reply) -> new Attempt(reply, last.misdirected(), last.postponed() + 1));
		}).orElseGet(Mono::empty);
	}

	private static Reply inTheEnd(Reply.Answer last, Budget budget) {
		return budget.isStopped() ? new Reply.GivenUp() : last;
	}

	/** What cleans up is waited for also when the run is being stopped. */
	private Mono<Long> delay(Duration pause, Budget budget, boolean cleanup) {
		Mono<Long> delay = Mono.delay(pause, this.scheduler);
		return cleanup ? delay : delay.takeUntilOther(budget.whenStopped());
	}

	/** Empty where the gateway did not ask to come again. */
	private static Optional<Duration> retryAfter(Reply.Answer answer) {
		String asked = answer.headers().getFirst(HttpHeaders.RETRY_AFTER);
		if (answer.status() != HttpStatus.TOO_MANY_REQUESTS.value() || asked == null) {
			return Optional.empty();
		}
		Duration pause = SECONDS.matcher(asked).matches() ? Duration.ofSeconds(Long.parseLong(asked)) : LONGEST_PAUSE;
		return Optional.of((pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE);
	}

	/**
	 * Longer by a quarter each time, up to twice, and at random up to twice of that:
	 * those that were turned away together do not come again together.
	 */
	private static Duration pause(Duration asked, int postponed) {
		long least = Math.max(asked.toNanos(), SHORTEST_PAUSE.toNanos()) * (4 + Math.min(postponed, 4)) / 4;
		return Duration.ofNanos(ThreadLocalRandom.current().nextLong(least, 2 * least + 1));
	}

	private record Attempt(Reply reply, int misdirected, int postponed) {

	}

}
