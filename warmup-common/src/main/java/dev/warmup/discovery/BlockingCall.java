package dev.warmup.discovery;

import java.util.function.Function;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Calls what may block, and may fail after its subscriber has canceled. */
final class BlockingCall {

	private BlockingCall() {
	}

	/**
	 * Makes the call at each subscription. Its failure travels as a value first, since
	 * Reactor would log one that comes after cancellation as an error.
	 */
	static <T> Mono<T> of(Supplier<T> call, Scheduler scheduler) {
		return Mono.fromSupplier(() -> attempt(call)).subscribeOn(scheduler).flatMap(Function.identity());
	}

	private static <T> Mono<T> attempt(Supplier<T> call) {
		try {
			return Mono.just(call.get());
		}
		catch (RuntimeException ex) {
			return Mono.error(ex);
		}
	}

}
