package dev.warmup.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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

	private static final Duration POLL = Duration.ofMillis(10);

	/** Half a second. */
	private static final int MAX_POLLS = 50;

	private final int max;

	private final Scheduler scheduler;

	/** The request in flight of each instance. */
	private final Map<String, Object> inFlight = new HashMap<>();

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
		if (this.inFlight.containsKey(instanceId)) {
			return Optional.of(REFUSED);
		}
		if (this.inFlight.size() >= this.max) {
			return Optional.empty();
		}
		Object request = new Object();
		this.inFlight.put(instanceId, request);
		return Optional.of(Mono.fromRunnable(() -> release(instanceId, request)));
	}

	private synchronized void release(String instanceId, Object request) {
		this.inFlight.remove(instanceId, request);
	}

}
