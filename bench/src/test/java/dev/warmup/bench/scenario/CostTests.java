package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Visit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CostTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final Notebook notebook = new Notebook();

	@Test
	void onlyWhatWasAnsweredWithinTheWindowIsThroughput() {
		Pair.Window window = Cost.window(
				new Experience(0, List.of(visit(SECOND, ""), visit(SECOND, ""), visit(SECOND.multipliedBy(5), ""))),
				Optional.of(Duration.ofMillis(30)), this.notebook);
		assertThat(window.throughput()).isEqualTo(2 / 3.0);
		assertThat(window.cpu()).as("of each of the three").hasValue(Duration.ofMillis(10));
		assertThat(this.notebook.notes()).isEmpty();
	}

	@Test
	void anErrorIsToldAndCountsNeitherAsThroughputNorAsLatency() {
		Pair.Window window = Cost.window(
				new Experience(0, List.of(visit(SECOND, ""), new Visit("a", 0, Duration.ZERO, Optional.of("refused")))),
				Optional.empty(), this.notebook);
		assertThat(window.throughput()).isEqualTo(1 / 3.0);
		assertThat(window.median().toMillis() / 1e3).isCloseTo(0.02, Offset.offset(0.001));
		assertThat(this.notebook.notes()).singleElement().asString().contains("refused");
	}

	private static Visit visit(Duration ended, String problem) {
		return new Visit("a", ended.toNanos(), Duration.ofMillis(20),
				Optional.of(problem).filter((it) -> !it.isEmpty()));
	}

}
