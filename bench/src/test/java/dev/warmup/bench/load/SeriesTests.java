package dev.warmup.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SeriesTests {

	@Test
	void tooFewBatchesTellNothing() {
		assertThat(p50s(10, 10, 10, 10, 10).isSettled()).isFalse();
	}

	@Test
	void itIsSettledOnceTheNewestAreHardlyBetterThanTheBestBefore() {
		assertThat(p50s(100, 30, 10, 9, 9, 9).isSettled()).isTrue();
	}

	@Test
	void itIsNotSettledWhileTheNewestAreMuchBetter() {
		assertThat(p50s(100, 50, 25, 20, 15, 12).isSettled()).isFalse();
	}

	@Test
	void oneSlowBatchIsOtherWorkOnTheMachine() {
		assertThat(p50s(100, 30, 10, 10, 80, 11).isSettled()).isTrue();
	}

	@Test
	void aFallingP99Counts() {
		Series series = new Series(IntStream.of(100, 90, 80, 40, 40, 40)
			.mapToObj((p99) -> new Batch(Duration.ofMillis(1), Duration.ofMillis(p99)))
			.toList());

		assertThat(series.isSettled()).isFalse();
		assertThat(series.falls(Batch::p50)).isFalse();
		assertThat(series.falls(Batch::p99)).isTrue();
	}

	@Test
	void theWorstOfTheNewestIsReported() {
		assertThat(p50s(100, 3, 1, 2)).hasToString("p50 3.00 ms, p99 3.00 ms");
		assertThat(new Series(List.of()).now()).isEqualTo(new Batch(Duration.ZERO, Duration.ZERO));
	}

	private static Series p50s(int... millis) {
		return new Series(
				IntStream.of(millis).mapToObj(Duration::ofMillis).map((value) -> new Batch(value, value)).toList());
	}

}
