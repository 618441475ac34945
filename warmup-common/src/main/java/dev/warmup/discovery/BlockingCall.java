package dev.warmup.discovery;

import java.util.function.Function;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Calls what may block, and may fail long after nobody waits for it any more. */
public final class BlockingCall {

	private BlockingCall() {
	}

	/**
	 * Makes a call at each subscription. Its failure is carried as a value until it is
	 * sure that somebody waits for it: Reactor would log it as an error otherwise.
	 * @param <T> the type of the result
	 * @param call what to call
	 * @param scheduler where it may block
	 * @return what the call returns, or its failure
	 */
	public static <T> Mono<T> of(Supplier<T> call, Scheduler scheduler) {
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
