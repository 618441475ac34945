package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Asks the registry for an instance at most once at a time and once a second, and for all
 * together no more often than the budget given allows; that also bounds the memory, as
 * nothing is kept of what was not asked. Thread-safe.
 */
final class RecentLookups {

	/** An answer counts for so long, whatever it is. */
	private static final Duration KEPT = Duration.ofSeconds(1);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(RecentLookups.class);

	private final InstanceLookup lookup;

	private final Clock clock;

	private final Map<String, Question> questions = new HashMap<>();

	private final AtomicBoolean silent = new AtomicBoolean();

	RecentLookups(InstanceLookup lookup, Clock clock) {
		this.lookup = lookup;
		this.clock = clock;
	}

	/**
	 * Asks for an instance, unless that was done just now.
	 * @param instanceId its name in discovery
	 * @param budget is drawn upon if the registry is to be asked
	 * @return what came of it; to be subscribed to at once
	 */
	synchronized Mono<LookupResult> ask(String instanceId, TokenBucket budget) {
		Instant now = this.clock.instant();
		Question asked = this.questions.get(instanceId);
		if (asked != null && !asked.isOver(now)) {
			return asked.answer;
		}
		if (!budget.take()) {
			return Mono.just(new LookupResult.NotAsked());
		}
		this.questions.values().removeIf((question) -> question.isOver(now));
		Question question = new Question(instanceId, now);
		this.questions.put(instanceId, question);
		return question.answer;
	}

	private void answered() {
		if (this.silent.compareAndSet(true, false)) {
			logger.info("The registry answers again");
		}
	}

	private LookupResult unanswered(Throwable error) {
		if (this.silent.compareAndSet(false, true)) {
			logger.warn("The registry does not answer: warm-up of instances not known yet waits ({})",
					error.getMessage());
		}
		logger.debug("The registry could not be asked", error);
		return new LookupResult.Unanswered();
	}

	synchronized int size() {
		return this.questions.size();
	}

	private final class Question {

		/** Goes on for those who share it when the first to ask goes away. */
		private final Mono<LookupResult> answer;

		private final Instant latestEnd;

		private volatile Optional<Instant> answeredAt = Optional.empty();

		Question(String instanceId, Instant now) {
			this.latestEnd = now.plus(LIMIT).plus(KEPT);
			this.answer = Mono.defer(() -> RecentLookups.this.lookup.find(instanceId))
				.timeout(LIMIT)
				.doOnNext((found) -> answered())
				.map((found) -> found.<LookupResult>map(LookupResult.Found::new).orElseGet(LookupResult.Unknown::new))
				.onErrorResume((error) -> Mono.just(unanswered(error)))
				.doOnNext((finding) -> this.answeredAt = Optional.of(RecentLookups.this.clock.instant()))
				.cache();
		}

		boolean isOver(Instant now) {
			return now.isAfter(this.answeredAt.map((time) -> time.plus(KEPT)).orElse(this.latestEnd));
		}

	}

}
