package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import dev.warmup.bench.result.Goals;
import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Runs;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Summary;
import dev.warmup.bench.result.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReportsTests {

	@TempDir
	Path directory;

	private String page() throws IOException {
		return Files.readString(this.directory.resolve("README.md"));
	}

	@Test
	void allThatWasMeasuredCanBeReadAgain() throws IOException {
		Results results = Runs.good().note("first", "aot", "it needs JDK 25").results();
		Reports.write(results, this.directory);
		Results read = Reports.read(this.directory.resolve("results.json"));
		assertThat(read).usingRecursiveComparison().ignoringFields("samples").isEqualTo(results);
		assertThat(read.facts().keySet()).containsExactlyElementsOf(results.facts().keySet());
		assertThat(read.variants().keySet()).containsExactlyElementsOf(results.variants().keySet());
		assertThat(read.samples()).hasSameSizeAs(results.samples())
			.containsAll(results.samples().stream().map(ReportsTests::rounded).toList());
	}

	private static Sample rounded(Sample sample) {
		return new Sample(sample.scenario(), sample.part(), sample.variant(), sample.metric(), sample.unit(),
				sample.round(), Json.rounded(sample.value()));
	}

	@Test
	void whatIsReadIsWrittenAsItWas() throws IOException {
		Reports.write(Runs.good()
			.with("idle", "b", "not-rewarmed", "x", Unit.MILLIS, 2)
			.with("growth", "b", "ours", "x", Unit.MILLIS, 2)
			.with("idle", "a", "ours", "x", Unit.MILLIS, 2)
			.with("idle", "a", "one-more", "y", Unit.MILLIS, 2)
			.results(), this.directory);
		Path again = this.directory.resolve("again");
		Reports.write(Reports.read(this.directory.resolve("results.json")), again);
		for (String file : new String[] { "results.json", "README.md", "first.svg" }) {
			assertThat(again.resolve(file)).hasSameTextualContentAs(this.directory.resolve(file));
		}
	}

	@Test
	void samplesAreRoundedAndWholeNumbersAreNot() {
		assertThat(Json.rounded(12.3456789)).isEqualTo(12.3457);
		assertThat(Json.rounded(0.000123456789)).isEqualTo(0.000123457);
		assertThat(Json.rounded(123456789)).isEqualTo(123456789);
		assertThat(Json.rounded(Double.NaN)).isNaN();
	}

	@Test
	void aSampleThatIsNoNumberIsKeptInTheFile() throws IOException {
		Reports.write(Runs.none().with("cost", "", "ours", "p50 ratio", Unit.RATIO, 7, Double.NaN).results(),
				this.directory);
		assertThat(Reports.read(this.directory.resolve("results.json")).samples())
			.containsExactly(new Sample("cost", "", "ours", "p50 ratio", Unit.RATIO, 7, Double.NaN));
	}

	@Test
	void resultsOfAnotherFormatAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Json.read(Json.write(Runs.none().results()).replace("\"format\" : 1", "\"format\" : 2")))
			.withMessage("these are results of format 2, not 1");
	}

	@Test
	void eachChartOfWhatWasMeasuredIsOnThePageAndIsSvg() throws Exception {
		Reports.write(Runs.good().curves().results(), this.directory);
		DocumentBuilderFactory parsers = DocumentBuilderFactory.newDefaultInstance();
		parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
		for (Drawing drawing : Drawing.ALL) {
			Document svg = parsers.newDocumentBuilder().parse(this.directory.resolve(drawing.file()).toFile());
			assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
			assertThat(page()).contains("![%s](%s)".formatted(drawing.title(), drawing.file()));
		}
	}

	@Test
	void aScenarioThatWasNotMeasuredHasNoChartAlsoWhenThereWasOneBefore() throws IOException {
		Reports.write(Runs.good().results(), this.directory);
		Reports.write(Runs.good().without("join").results(), this.directory);
		assertThat(this.directory.resolve("join.svg")).doesNotExist();
		assertThat(this.directory.resolve("first.svg")).exists();
		assertThat(page()).doesNotContain("join.svg");
	}

	@Test
	void withoutAnySampleThereAreFactsNotesAndGoals() throws IOException {
		Reports.write(Runs.none().note("idle", "", "there is no swap").note("", "", "something else").results(),
				this.directory);
		assertThat(page()).contains("- idle: there is no swap\n- something else\n")
			.contains("| commit | 0123abc |")
			.contains("**not measured**")
			.doesNotContain("**met**");
		assertThat(this.directory).isDirectoryNotContaining("glob:**.svg");
	}

	@Test
	void pageTellsEachGoalWithItsVerdict() throws IOException {
		Results results = Runs.good().with("join", "", "ours", "errors", Unit.COUNT, 4, 3).results();
		Reports.write(results, this.directory);
		assertThat(page()).contains("| join | no errors | **missed** | 3 in the worst of 4 rounds, goal 0 |");
		assertThat(Goals.judge(Summary.of(results)))
			.allSatisfy((goal) -> assertThat(page()).contains("| " + goal.text() + " | **" + goal.verdict().words()));
	}

	@Test
	void pageOfTheCurveAloneHasItsTableAndNoGoalsButItsOwn() throws IOException {
		Reports.write(Runs.curve().results(), this.directory);
		assertThat(page()).contains("steady state of minute five (p50 1.0 ms [0.90–1.1], p99 4.0 ms [3.6–4.4])")
			.contains(
					"| ours | 2.50x [2.25–2.75] | 5.00x [4.50–5.50] | 5000 | 30.0 s [27.0–33.0] | 90.0 s [81.0–99.0] | 5 |")
			.contains("| curve | p50 of the first 100: no fixed count halves it")
			.doesNotContain("**not measured**");
	}

	@Test
	void pageOfAllElseDoesNotSpeakOfTheCurve() throws IOException {
		Reports.write(Runs.good().results(), this.directory);
		assertThat(page()).doesNotContain("curve");
	}

	@Test
	void aChartThatCannotBeDrawnIsNoted() {
		assertThat(Page.write(Runs.none().results(), Runs.none().summary(), List.of(),
				List.of(new Note("", "", "first.svg could not be drawn: no fonts"))))
			.contains("- first.svg could not be drawn: no fonts");
	}

}
