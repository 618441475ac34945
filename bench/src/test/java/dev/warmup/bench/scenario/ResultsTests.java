package dev.warmup.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ResultsTests {

	private static Results.Figure figure(String variant, String metric, String unit, int round, double value) {
		return new Results.Figure("deploy", "", variant, metric, unit, round, 22, value);
	}

	@Test
	void pageAndFileHaveWhatWasMeasuredWithRangesAndNotes(@TempDir Path directory) throws IOException {
		new Results(Map.of("commit", "0123abc"),
				List.of(figure("nothing", "errors", "count", 1, 201), figure("ours", "errors", "count", 1, 0),
						figure("ours", "p99", "ms", 1, 8.123), figure("ours", "p99", "ms", 2, 20),
						figure("ours", "p99", "ms", 3, 11)),
				List.of("ours-cache was skipped:\nno JDK 25"))
			.write(directory);
		assertThat(Files.readString(directory.resolve("README.md"))).contains("- commit: 0123abc")
			.contains("## deploy\n\n|  | errors | p99 |\n| --- | --- | --- |\n")
			.contains("| nothing | 201 | – |\n| ours | 0 | 11 ms [8.12–20] |\n")
			.contains("- ours-cache was skipped: no JDK 25");
		assertThat(Files.readAllLines(directory.resolve("figures.csv"))).contains("# commit: 0123abc",
				"# note: ours-cache was skipped: no JDK 25", "deploy,,ours,p99,ms,1,22.0000,8.12300");
	}

}
