package dev.warmup.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Bounds how many warm-up requests are in flight at once, so that instances that start
 * together leave room for users: one for each instance, and so many in all. Others wait
 * for half a second at most. Thread-safe.
 */
final class Admission {

	/** No permit: another request of the instance is in flight, or too many others. */
	static final Mono<Void> REFUSED = Mono.empty();

	/** No request is in flight for longer. */
	private static final Duration LONGEST = Duration.ofSeconds(70);

	private static final Duration POLL = Duration.ofMillis(10);

	/** Half a second. */
	private static final int MAX_POLLS = 50;

	private final int max;

	private final Scheduler scheduler;

	/** When the request in flight of each instance began, by the scheduler's clock. */
	private final Map<String, Long> inFlight = new HashMap<>();

	/**
	 * Creates an admission.
	 * @param max how many requests of all instances may be in flight, at least 1
	 */
	Admission(int max, Scheduler scheduler) {
		this.max = max;
		this.scheduler = scheduler;
	}

	/**
	 * Asks for a permit for a request of an instance, which is released by subscribing to
	 * it, once or more often; {@link #REFUSED} if there is none in time.
	 */
	Mono<Mono<Void>> permit(String instanceId) {
		return Mono.defer(() -> Mono.justOrEmpty(take(instanceId)))
			.repeatWhenEmpty((polls) -> polls.take(MAX_POLLS).delayElements(POLL, this.scheduler))
			.defaultIfEmpty(REFUSED);
	}

	/** Empty where the request may wait. */
	private synchronized Optional<Mono<Void>> take(String instanceId) {
		long now = this.scheduler.now(TimeUnit.NANOSECONDS);
		this.inFlight.values().removeIf((begin) -> now - begin > LONGEST.toNanos()); // lost
		if (this.inFlight.containsKey(instanceId)) {
			return Optional.of(REFUSED);
		}
		if (this.inFlight.size() >= this.max) {
			return Optional.empty();
		}
		this.inFlight.put(instanceId, now);
		return Optional.of(Mono.fromRunnable(() -> release(instanceId, now)));
	}

	private synchronized void release(String instanceId, long begin) {
		this.inFlight.remove(instanceId, begin);
	}

}
