package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.process.Usage;
import dev.warmup.bench.variant.Effort;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class WarmUpCostTests {

	@Test
	void whatIsKnownIsRecordedInItsUnit() {
		Notebook notebook = new Notebook();
		new WarmUpCost(Optional.of(Duration.ofSeconds(9)), Optional.of(Duration.ofMillis(1500)),
				new Usage(Optional.of(Duration.ofMillis(2500)), Optional.of(Duration.ofMillis(750)),
						Optional.of(DataSize.ofMegabytes(300))),
				new Effort(22, 1), true)
			.record(notebook);
		assertThat(notebook.figures())
			.isEqualTo(Map.of("warm-up: start", 9.0, "warm-up: wall", 1.5, "warm-up: cpu", 2.5, "warm-up: compile",
					0.75, "warm-up: memory", 300.0, "warm-up: requests", 22.0, "warm-up: unexpected", 1.0));
		assertThat(notebook.notes()).isEmpty();
	}

	@Test
	void whatIsNotKnownIsANoteAndNoZero() {
		Notebook notebook = new Notebook();
		new WarmUpCost(Optional.empty(), Optional.empty(),
				new Usage(Optional.empty(), Optional.empty(), Optional.empty()), Effort.NONE, false)
			.record(notebook);
		assertThat(notebook.figures()).containsOnlyKeys("warm-up: requests", "warm-up: unexpected");
		assertThat(notebook.notes()).hasSize(6);
	}

}
