package dev.warmup.bench.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InterruptionTests {

	@Test
	void theStepIsInterruptedAndWaitedFor() throws InterruptedException {
		List<String> told = new ArrayList<>();
		Interruption interruption = Interruption.ofThisThread(told::add);
		Thread signal = new Thread(interruption::happen);
		boolean interrupted = false;
		try (interruption) {
			signal.start();
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		signal.join();

		assertThat(interrupted).isTrue();
		assertThat(interruption.isRequested()).isTrue();
		assertThat(told).containsExactly("stopping; no results are written");
	}

	@Test
	void nothingHappensAfterItsWorkIsDone() {
		Interruption interruption = Interruption.ofThisThread((line) -> {
		});
		interruption.close();

		assertThat(interruption.isRequested()).isFalse();
	}

}
