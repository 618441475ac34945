package dev.warmup.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link LatencyTrend} decides on runs that were recorded: the latencies, in
 * microseconds, of six requests of chat-service over 1,000 repetitions of the example's
 * catalog, each from a fresh start of the stack on two shared cores
 * ({@code LOGGING_LEVEL_DEV_WARMUP_REPLAY=DEBUG}, {@code WARMUP_STARTUP_CONCURRENCY} 1 or
 * 2, the fixed count of the releases before). Latency was still falling slowly at their
 * end.
 */
@Timeout(60)
class RecordedRunsTests {

	private static final int WINDOW = 100;

	private static final double TOLERANCE = 0.1;

	@ParameterizedTest
	@ValueSource(strings = { "jdk-17-one-at-a-time", "jdk-25-one-at-a-time" })
	void noRequestIsCalledSteadyInItsFirstFall(String recording) throws IOException {
		for (double[] series : recorded(recording)) {
			int end = end(series, LatencyTrendOn::steady);
			assertThat(end).isBetween(WINDOW, series.length - 1);
			assertThat(median(series, end - WINDOW / 2, end)).isLessThan(median(series, 10, 60) * 2 / 3);
		}
	}

	@Test
	void whatIsCalledSteadyIsNearTheEndOfTheRecording() throws IOException {
		for (double[] series : recorded("jdk-17-one-at-a-time")) {
			assertThat(left(series, end(series, LatencyTrendOn::steady))).isLessThan(1.6);
		}
	}

	/** By how much latency fell afterwards. */
	private static double left(double[] series, int end) {
		return median(series, end - WINDOW / 2, end) / median(series, series.length - WINDOW, series.length);
	}

	private static int end(double[] series, Predicate<double[]> steady) {
		return IntStream.range(WINDOW, series.length)
			.filter((end) -> end % 5 == 0)
			.filter((end) -> steady.test(Arrays.copyOfRange(series, end - WINDOW, end)))
			.findFirst()
			.orElse(series.length);
	}

	private static double median(double[] series, int from, int to) {
		double[] sorted = Arrays.copyOfRange(series, from, to);
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	/** A series for each request. */
	private static List<double[]> recorded(String name) throws IOException {
		try (InputStream in = Objects
			.requireNonNull(RecordedRunsTests.class.getResourceAsStream("/dev/warmup/steady/" + name + ".csv"))) {
			List<double[]> rows = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
				.skip(1)
				.map((line) -> Stream.of(line.split(",")).mapToDouble(Double::parseDouble).toArray())
				.toList();
			return IntStream.range(0, rows.get(0).length)
				.mapToObj((column) -> rows.stream().mapToDouble((row) -> row[column]).toArray())
				.toList();
		}
	}

	private static final class LatencyTrendOn {

		static boolean steady(double[] window) {
			LatencyTrend trend = new LatencyTrend(TOLERANCE, 0.3, window.length);
			for (double micros : window) {
				trend.add(Duration.ofNanos((long) (1_000 * micros)));
			}
			return trend.isSteady();
		}

	}

}
