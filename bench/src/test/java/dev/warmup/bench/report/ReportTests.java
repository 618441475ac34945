package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.load.Journey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class ReportTests {

	private static final String MARKED = "# Title\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\n\nThe end.\n";

	@TempDir
	private Path directory;

	private static Results recorded() {
		List<Results.Figure> figures = new ArrayList<>();
		for (int round = 1; round <= 3; round++) {
			for (Journey.Request request : Journey.REQUESTS) {
				double latency = request.name().equals("join") ? 30.0 * round : 4;
				figures
					.add(new Results.Figure("first", "everything", "ours", request.name(), "ms", round, 22, latency));
				figures.add(new Results.Figure("first", "steady", "steady", request.name(), "ms", round, 22, 2));
			}
			figures.add(new Results.Figure("first", "everything", "ours", "p50", "ms", round, 22, 3 + round));
			figures.add(new Results.Figure("first", "everything", "ours", "errors", "count", round, 22, 0));
			figures.add(new Results.Figure("first", "ready", "ours", "time", "s", round, 1, 10 + round));
			figures.add(new Results.Figure("burst", "1 s", "ours", "p99", "ms", round, 22, 400 + round));
		}
		return new Results(Map.of("commit", "0123abc"), figures, List.of("mittens was skipped"));
	}

	@Test
	void writtenResultsAreReadBackAsTheyWere() throws IOException {
		recorded().write(this.directory);
		assertThat(Results.read(this.directory)).isEqualTo(recorded());
	}

	@Test
	void theReportShowsWhatWasMeasuredWithRangesChartsAndNotes() throws IOException {
		Report.write(recorded(), this.directory);
		String page = Files.readString(this.directory.resolve("README.md"));
		assertThat(page).contains("| this library | join 60 ms | 30 | 5 ms [4–6] | – | 0 [0–0] |")
			.contains("| join | 60 [30–90] |")
			.contains("402 ms [401–403]")
			.contains("- mittens was skipped");
		assertThat(page).doesNotContain("second instance joins");
		assertThat(this.directory.resolve("first.svg")).isNotEmptyFile();
		assertThat(this.directory.resolve("burst.svg")).isNotEmptyFile();
		assertThat(this.directory.resolve("join.svg")).doesNotExist();
	}

	@Test
	void onlyTheTextBetweenTheMarkersOfTheReadmeChangesAndOnlyOnce() {
		String updated = Report.updateReadme(MARKED, recorded());
		assertThat(updated).startsWith("# Title\n\n<!-- bench: begin -->\n")
			.contains("| this library | 12 s [11–13] | join 60 ms | 5 ms [4–6] | – | 402 ms [401–403] |")
			.contains("0123abc")
			.endsWith("<!-- bench: end -->\n\nThe end.\n")
			.doesNotContain("old");
		assertThat(Report.updateReadme(updated, recorded())).isEqualTo(updated);
		assertThatIllegalStateException()
			.isThrownBy(() -> Report.updateReadme(MARKED.replace("<!-- bench: end -->", ""), recorded()))
			.withMessageContaining("<!-- bench: end -->");
	}

}
