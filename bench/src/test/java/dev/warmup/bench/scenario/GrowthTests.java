package dev.warmup.bench.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.warmup.bench.schedule.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GrowthTests {

	private static final Path NOWHERE = Path.of("nowhere");

	@Test
	void measuresEachCatalogByProcessesOfItsOwnAndTheFleetByOnes() {
		assertThat(steps(false)).hasSize(4).extracting(Step::variant).containsOnly("ours");
	}

	@Test
	void takesTheSmallestCatalogAloneWhenQuick() {
		assertThat(steps(true)).hasSize(2);
		assertThat(sum(steps(true))).isLessThan(sum(steps(false)));
	}

	private static Duration sum(List<Step> steps) {
		return steps.stream().map(Step::expected).reduce(Duration.ZERO, Duration::plus);
	}

	private static List<Step> steps(boolean quick) {
		return new Growth(new Site(NOWHERE, NOWHERE, NOWHERE, List.of(), quick)).steps();
	}

}
