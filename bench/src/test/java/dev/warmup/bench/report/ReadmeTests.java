package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

class ReadmeTests {

	private static final Path ROOT = Path.of("..");

	private static final Path COMMITTED = Told.LATEST.json(ROOT);

	@TempDir
	Path root;

	/** Also fails when one is there without the other. */
	@Test
	void readmeOfThisRepositoryIsInStepWithItsResults() throws IOException {
		String readme = Files.readString(ROOT.resolve("README.md"));
		assumeThat(Files.exists(COMMITTED) || readme.contains(Readme.BEGIN)).as("results, or a place for them")
			.isTrue();
		assertThat(COMMITTED).exists();
		assertThat(Readme.inStep(readme, Told.LATEST, ROOT)).as("after bench/readme").isEqualTo(readme);
	}

	/** Without results there is a place for them, and nothing in it. */
	@Test
	void readmeOfTheBenchmarkIsInStepWithTheCurve() throws IOException {
		String readme = Files.readString(ROOT.resolve(Told.CURVE.readme()));
		assertThat(Readme.inStep(readme, Told.CURVE, ROOT)).as("after bench/readme").isEqualTo(readme);
	}

	@Test
	void onlyWhatIsBetweenTheMarkersIsReplaced() {
		assertThat(Readme.replace("a\n%s\nold\n%s\nb\n".formatted(Readme.BEGIN, Readme.END), "new\n"))
			.isEqualTo("a\n%s\nnew\n%s\nb\n".formatted(Readme.BEGIN, Readme.END));
	}

	@Test
	void readmeWithoutItsMarkersIsRefused() {
		for (String readme : new String[] { "", Readme.BEGIN, Readme.END + Readme.BEGIN,
				Readme.BEGIN + Readme.BEGIN + Readme.END }) {
			assertThatIllegalArgumentException().isThrownBy(() -> Readme.replace(readme, ""))
				.withMessageContaining(Readme.BEGIN);
		}
	}

	@Test
	void whatWasReplacedOnceIsInStepAndOtherResultsAreNot() throws IOException {
		Path results = this.root.resolve(Told.LATEST.results());
		Reports.write(Runs.good().results(), results);
		String once = Readme.inStep(Readme.BEGIN + "\n" + Readme.END + "\n", Told.LATEST, this.root);
		assertThat(Readme.inStep(once, Told.LATEST, this.root)).isEqualTo(once);
		Reports.write(Runs.good().without("first", "ours", "sign-up").results(), results);
		assertThat(Readme.inStep(once, Told.LATEST, this.root)).isNotEqualTo(once);
	}

	@Test
	void theCurveIsToldOnceThereAreResultsOfIt() throws IOException {
		String empty = Readme.BEGIN + "\n" + Readme.END + "\n";
		assertThat(Readme.inStep(empty, Told.CURVE, this.root)).isEqualTo(empty);
		Reports.write(Runs.curve().results(), this.root.resolve(Told.CURVE.results()));
		assertThat(Readme.inStep(empty, Told.CURVE, this.root)).contains("| fixed 200 passes | 3.00x [2.70–3.30] |")
			.contains("](results/curve/curve.svg)\n")
			.contains("- **met**: p50 of the first 100: no fixed count halves it")
			.contains("`bench/run curve` on 2030-01-02")
			.contains("](results/curve/README.md)");
	}

	@Test
	void cachesAreLeftOutWhereNotAllWereMeasured() {
		String block = ReadmeBlock.of(Runs.none().first("everything", "nothing", "sign-up", 200).results(),
				"bench/results/latest");
		assertThat(block).doesNotContain("| AOT cache |").doesNotContain("./stack train");
	}

	@Test
	void blockTellsUsersTheJoinTheCommitAndTheMachine() {
		String block = ReadmeBlock.of(Runs.good().results(), "bench/results/latest");
		assertThat(block)
			.contains("| nothing | sign-up: 200 ms [180–220], **100x** | 20.0 ms [18.0–22.0] | 500 ms [450–550] | "
					+ "2000 ms [1800–2200] | 30.0 /s [27.0–33.0] |\n")
			.contains("| ours | sign-up: 2.4 ms [2.2–2.6], **1.20x** |")
			.contains("| steady state | sign-up: 2.0 ms [1.8–2.2], **1.00x** |")
			.contains(
					"| AOT cache | – | 3.2 s [2.8–3.5] | 20.0 s [18.0–22.0] | – | sign-up: 80.0 ms [72.0–88.0], **40.0x** |")
			.contains("](bench/results/latest/first.svg)\n")
			.contains("| ours | 16.0 ms [14.4–17.6] | 17.0 ms [15.3–18.7] | 51.0 ms [45.9–56.1] | 0 | 0 |\n")
			.contains("2030-01-02, commit: 0123abc, cores: 2, JDK: 17.0.1 | a vendor.")
			.contains("](bench/results/latest/README.md)");
	}

	@Test
	void blockLeavesOutWhatWasNotMeasured() {
		Results results = Runs.good().without("first").without("join").results();
		assertThat(ReadmeBlock.of(results, "there")).contains("| ours | – | – | – | 24.0 ms [21.6–26.4] |")
			.doesNotContain("first.svg")
			.doesNotContain("joins");
		assertThat(ReadmeBlock.of(Runs.none().results(), "there")).startsWith("\n`bench/run` on 2030-01-02");
	}

}
