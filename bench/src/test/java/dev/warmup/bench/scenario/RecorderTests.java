package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class RecorderTests {

	private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

	private final List<Results.Figure> figures = new ArrayList<>();

	private final List<String> notes = new ArrayList<>();

	private final Recorder recorder = new Recorder(this.figures, this.notes, "any", "ours", 1, 20);

	private static Sample sample(long startMillis, long latencyMillis, boolean expected, String instance) {
		return new Sample("list-rooms", BEGIN.plusMillis(startMillis), Duration.ofMillis(latencyMillis),
				expected ? 200 : 503, expected, instance);
	}

	private double figure(String part, String metric) {
		return this.figures.stream()
			.filter((figure) -> figure.part().equals(part) && figure.metric().equals(metric))
			.findFirst()
			.orElseThrow()
			.value();
	}

	@Test
	void burstCountsLatencyByStartAndThroughputByEnd() {
		List<Sample> samples = List.of(sample(0, 500, true, ""), sample(900, 2000, true, ""),
				sample(950, 10, false, ""), sample(1500, 100, true, ""));
		First.recordBurst(samples, BEGIN, 1, this.recorder);
		assertThat(figure("1 s", "slowest")).isBetween(1990.0, 2010.0);
		assertThat(figure("1 s", "errors")).isEqualTo(1);
		assertThat(figure("1 s", "throughput")).isEqualTo(1);
		assertThat(this.notes).singleElement().asString().contains("status 503");
	}

	@Test
	void joinCountsUsersTheNewInstanceAnsweredWhileItWasClosed() {
		List<Sample> samples = List.of(sample(0, 5, true, "chat-service-1"), sample(1000, 5, true, "chat-service-1"),
				sample(1100, 50, true, Marks.NONE), sample(1200, 5, false, Marks.NONE),
				sample(2000, 7, true, Marks.NONE));
		Join.record(samples, BEGIN.plusMillis(1000), BEGIN.plusMillis(1500), this.recorder);
		assertThat(figure("", "users too early")).isEqualTo(1);
		assertThat(figure("", "p99 before")).isBetween(4.9, 5.1);
		assertThat(figure("", "slowest")).isBetween(49.0, 51.0);
	}

}
