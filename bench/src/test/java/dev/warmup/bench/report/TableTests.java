package dev.warmup.bench.report;

import java.util.List;

import dev.warmup.bench.result.Runs;
import dev.warmup.bench.result.Unit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

	@Test
	void variantsAreRowsWithMedianRangeAndMultipleOfSteady() {
		Runs runs = Runs.none()
			.with("burst", "1 s", "steady", "p99", Unit.MILLIS, 10)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 25)
			.with("burst", "1 s", "ours", "errors", Unit.COUNT, 0)
			.with("burst", "1 s", "steady", "errors", Unit.COUNT, 0);
		assertThat(new Table(runs.summary(), "burst", "1 s").write()).isEqualTo("""
				Median [range], n = 3; multiples are of the steady state.

				| variant | p99 | errors |
				| --- | --- | --- |
				| ours | 25.0 ms [22.5–27.5], **2.50x** | 0 |
				| steady state | 10.0 ms [9.0–11.0] | 0 |
				""");
	}

	@Test
	void whatWasMeasuredMoreRarelySaysSoAndWhatWasNotIsADash() {
		Runs runs = Runs.none()
			.with("first", "warm-up", "ours", "wall", Unit.SECONDS, 8)
			.with("first", "warm-up", "ours", "cpu", Unit.SECONDS, 20)
			.with("first", "warm-up", "nothing", "wall", Unit.SECONDS, 1, 3);
		assertThat(new Table(runs.summary(), "first", "warm-up").write()).isEqualTo("""
				Median [range], n = 3 where nothing else is said.

				| variant | wall | cpu |
				| --- | --- | --- |
				| nothing | 3.0 s, n = 1 | – |
				| ours | 8.0 s [7.2–8.8] | 20.0 s [18.0–22.0] |
				""");
	}

	@Test
	void manyMetricsAreRows() {
		Runs runs = Runs.none();
		for (int i = 1; i <= 9; i++) {
			runs.first("everything", "ours", "request-" + i, i);
		}
		assertThat(new Table(runs.summary(), "first", "everything").write()).contains("| request | ours |\n")
			.contains("| request-9 | 9.0 ms [8.1–9.9] |\n");
	}

	@Test
	void aPipeInACellDoesNotEndIt() {
		assertThat(Markdown.table(List.of("a"), List.of(List.of("x | y\nz")))).endsWith("| x \\| y z |\n");
	}

}
