package dev.warmup.jmh;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

	@Test
	void costIsWhatTheLibraryAddsToTheSameBenchmarkWithAsManyThreads() {
		Table table = new Table(List.of(new Figures("GatewayFilters.whole", Library.ABSENT, 1, 4000, 30, 900, 901, 899),
				new Figures("GatewayFilters.whole", Library.PRESENT, 1, 5200, 40, 1500, 1501, 1499),
				new Figures("GatewayFilters.whole", Library.ABSENT, 2, 4100, 30, 900, 900, 900),
				new Figures("GatewayFilters.whole", Library.PRESENT, 2, 5600, 40, 1500, 1500, 1500)));
		assertThat(table.markdown().lines()).containsSubsequence(
				"| GatewayFilters.whole | PRESENT | 1 | 5200 ± 40 | 1500 | 1501 → 1499 |",
				"| GatewayFilters.whole, PRESENT | 1 | 1200 ± 50 | 0.120 % | 600 |",
				"| GatewayFilters.whole, PRESENT | 2 | 1500 ± 50 | 0.150 % | 600 |");
	}

	@Test
	void nothingIsSaidOfCostWhereTheSameWasNotMeasuredWithout() {
		Table table = new Table(List.of(new Figures("GatewayFilters.whole", Library.PRESENT, 1, 5200, 40, 1500, 0, 0)));
		assertThat(table.markdown()).doesNotContain("GatewayFilters.whole, PRESENT");
	}

}
