package dev.warmup.bench.scenario;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class BurstTests {

	@Test
	void latencyCountsOfWhoCameAndThroughputOfWhoWasAnsweredAsExpected() {
		Notebook notebook = new Notebook();
		Burst.record(Visits.of(Visits.answered("find", 500, 500), Visits.answered("find", 900, 400),
				Visits.failed("find", 950, 10), Visits.answered("find", 2900, 2000),
				Visits.answered("find", 3000, 100)), 1, notebook);
		assertThat(notebook.figures()).containsOnlyKeys("1 s: p50", "1 s: p99", "1 s: max", "1 s: throughput",
				"1 s: errors");
		assertThat(notebook.figures().get("1 s: max")).isCloseTo(2000, within(2.0));
		assertThat(notebook.figures()).containsEntry("1 s: throughput", 2.0).containsEntry("1 s: errors", 1.0);
	}

	@Test
	void throughputIsPerSecond() {
		Notebook notebook = new Notebook();
		Burst.record(Visits.of(Visits.answered("find", 500, 500), Visits.answered("find", 1900, 400)), 2, notebook);
		assertThat(notebook.figures()).containsEntry("2 s: throughput", 1.0);
	}

}
