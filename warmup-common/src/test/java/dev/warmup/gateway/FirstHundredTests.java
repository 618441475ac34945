package dev.warmup.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FirstHundredTests {

	private final FirstHundred hundred = new FirstHundred();

	@Test
	void percentilesAreThoseOfTheNearestRank() {
		IntStream.rangeClosed(1, 100).forEach((millis) -> add(Duration.ofMillis(101 - millis)));
		int[] sorted = this.hundred.sorted();
		assertThat(FirstHundred.percentile(sorted, 50)).hasValue(Duration.ofMillis(50));
		assertThat(FirstHundred.percentile(sorted, 99)).hasValue(Duration.ofMillis(99));
		assertThat(FirstHundred.percentile(sorted, 100)).hasValue(Duration.ofMillis(100));
		assertThat(FirstHundred.percentile(sorted, 0)).hasValue(Duration.ofMillis(1));
	}

	@Test
	void fewAreEnoughForAPercentile() {
		assertThat(FirstHundred.percentile(this.hundred.sorted(), 50)).isEmpty();
		add(Duration.ofMillis(3));
		assertThat(FirstHundred.percentile(this.hundred.sorted(), 50)).hasValue(Duration.ofMillis(3));
		assertThat(FirstHundred.percentile(this.hundred.sorted(), 99)).hasValue(Duration.ofMillis(3));
	}

	@Test
	void extremesAreKeptWithinBounds() {
		add(Duration.ZERO);
		add(Duration.ofDays(300));
		assertThat(this.hundred.sorted()).containsExactly(1, Integer.MAX_VALUE);
	}

	@Test
	void exactlyAHundredAreTakenAndOneOfThemIsTheLastWhoeverSendsAtOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		AtomicInteger taken = new AtomicInteger();
		AtomicInteger last = new AtomicInteger();
		try {
			List<Future<?>> users = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				users.add(threads.submit(
						() -> IntStream.range(0, 1000).forEach((number) -> this.hundred.take().ifPresent((place) -> {
							taken.incrementAndGet();
							if (this.hundred.write(place, Duration.ofMillis(1 + place))) {
								last.incrementAndGet();
							}
						}))));
			}
			for (Future<?> user : users) {
				user.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(taken).hasValue(100);
		assertThat(last).hasValue(1);
		assertThat(this.hundred.isFull()).isTrue();
		assertThat(this.hundred.sorted()).hasSize(100).startsWith(1000).endsWith(100_000);
	}

	private void add(Duration latency) {
		this.hundred.write(this.hundred.take().orElseThrow(), latency);
	}

}
