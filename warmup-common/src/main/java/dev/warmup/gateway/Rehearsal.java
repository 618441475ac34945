package dev.warmup.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;

/**
 * Loads, once, the classes behind the filters that warm-up passes by: through a circuit
 * breaker and a limit that no user has. What fails stays cold, and nothing else happens.
 * Thread-safe.
 */
public final class Rehearsal implements Runnable {

	/** Name of the circuit breaker, and route of the limit. */
	public static final String NAME = "warmup";

	/** Whom the limit counts: nobody, also where limits are kept without their route. */
	static final String KEY = "dev.warmup.rehearsal";

	private static final Logger logger = LoggerFactory.getLogger(Rehearsal.class);

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final Supplier<Stream<ReactiveCircuitBreakerFactory<?, ?>>> breakers;

	private final Supplier<Stream<RateLimiter<?>>> limiters;

	private final AtomicBoolean started = new AtomicBoolean();

	/**
	 * Creates the rehearsal.
	 * @param breakers the makers of circuit breakers, asked for at the first run
	 * @param limiters the limiters, asked for at the first run
	 */
	public Rehearsal(Supplier<Stream<ReactiveCircuitBreakerFactory<?, ?>>> breakers,
			Supplier<Stream<RateLimiter<?>>> limiters) {
		this.breakers = breakers;
		this.limiters = limiters;
	}

	/** Starts it, off the calling thread; does nothing from the second call on. */
	@Override
	public void run() {
		if (!this.started.get() && this.started.compareAndSet(false, true)) {
			Flux.concat(each(this.breakers, Rehearsal::trip), each(this.limiters, Rehearsal::ask))
				.subscribeOn(Schedulers.boundedElastic())
				.subscribe();
		}
	}

	private static <T> Mono<Void> each(Supplier<Stream<T>> parts, Part<T> part) {
		return Flux.defer(() -> Flux.fromStream(parts.get()))
			.concatMap((each) -> Mono.defer(() -> part.run(each))
				.timeout(LIMIT)
				.onErrorResume((error) -> quietly(each.toString(), error)))
			.then()
			.onErrorResume((error) -> quietly("circuit breakers and limiters", error));
	}

	private static Mono<Void> trip(ReactiveCircuitBreakerFactory<?, ?> factory) {
		ReactiveCircuitBreaker breaker = factory.create(NAME);
		return breaker.run(Mono.<Void>empty(), Mono::error)
			.then(breaker.run(Mono.<Void>error(new IllegalStateException("rehearsed")), (error) -> Mono.empty()));
	}

	private static Mono<Void> ask(RateLimiter<?> limiter) {
		return limiter.isAllowed(NAME, KEY).then();
	}

	private static Mono<Void> quietly(String what, Throwable error) {
		logger.debug("Left cold: {}", what, error);
		return Mono.empty();
	}

	/** Runs one of its kind. */
	@FunctionalInterface
	private interface Part<T> {

		Mono<Void> run(T part);

	}

}
