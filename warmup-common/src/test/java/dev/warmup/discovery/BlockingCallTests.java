package dev.warmup.discovery;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class BlockingCallTests {

	@Test
	void resultAndFailureAreTheCalls() {
		StepVerifier.create(BlockingCall.of(() -> 1, Schedulers.boundedElastic()))
			.expectNext(1)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		StepVerifier.create(BlockingCall.of(BlockingCallTests::fail, Schedulers.boundedElastic()))
			.expectErrorMessage("theirs")
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void failureThatNobodyWaitsForIsNoError(CapturedOutput output) {
		Scheduler scheduler = Schedulers.newBoundedElastic(1, 10, "late");
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		Mono<Object> call = BlockingCall.of(() -> {
			begun.countDown();
			try {
				Thread.sleep(60_000);
			}
			catch (InterruptedException ex) {
				ended.countDown();
			}
			return fail();
		}, scheduler);
		StepVerifier.create(call)
			.then(() -> Awaitility.await().until(() -> begun.getCount() == 0))
			.thenCancel()
			.verify(Duration.ofSeconds(30));
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> ended.getCount() == 0);
		StepVerifier.create(BlockingCall.of(() -> "the thread is free again", scheduler))
			.expectNextCount(1)
			.expectComplete()
			.verify(Duration.ofSeconds(60));
		assertThat(output).doesNotContain("onErrorDropped");
		scheduler.dispose();
	}

	private static Object fail() {
		throw new IllegalStateException("theirs");
	}

}
