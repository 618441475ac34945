package dev.warmup;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Without this, every other test's silence on blocking calls would prove nothing. */
class BlockHoundTests {

	@Test
	void blockingOnAThreadThatMustNotIsDetected() {
		StepVerifier.create(Mono.fromRunnable(BlockHoundTests::blocking).subscribeOn(Schedulers.parallel()))
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(BlockingOperationError.class))
			.verify(Duration.ofSeconds(30));
	}

	/**
	 * A thread that is not to wait for the lock of a scheduler would leave it locked, and
	 * every timer of that scheduler would be lost.
	 */
	@Test
	void periodicTimersMayBeCanceledByOtherTimers() {
		Mono<Void> canceled = Flux.interval(Duration.ofMillis(2)).take(Duration.ofMillis(5)).then();
		StepVerifier
			.create(Flux.range(0, 2000)
				.subscribeOn(Schedulers.boundedElastic())
				.flatMap((number) -> canceled.thenReturn(number), 200)
				.count())
			.expectNext(2000L)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	private static void blocking() {
		LockSupport.parkNanos(1);
	}

}
