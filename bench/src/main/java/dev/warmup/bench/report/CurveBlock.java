package dev.warmup.bench.report;

import java.util.stream.Collectors;

import dev.warmup.bench.result.Count;
import dev.warmup.bench.result.Goals;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Summary;

/** What the benchmark's README shows of a comparison of counts. */
final class CurveBlock {

	private CurveBlock() {
	}

	/**
	 * Writes it.
	 * @param results the run
	 * @param directory where its results are, as seen from the README
	 * @return Markdown, without the markers
	 */
	static String of(Results results, String directory) {
		Summary summary = Summary.of(results);
		Drawing chart = new CurveChart();
		String image = chart.draw(summary).isEmpty() ? ""
				: "\n![%s](%s/%s)\n".formatted(chart.title(), directory, chart.file());
		String goals = Goals.judge(summary)
			.stream()
			.filter((goal) -> goal.scenario().equals(Count.SCENARIO))
			.map((goal) -> "- **%s**: %s (%s)\n".formatted(goal.verdict().words(), goal.text(), goal.figures()))
			.collect(Collectors.joining());
		return "%s%s\n%s\n`bench/run curve` on %s; the machine, first requests by kind, and all samples: [%s](%s/README.md).\n"
			.formatted(CurveTable.of(summary), image, goals, results.startedAt().toString().substring(0, 10), directory,
					directory);
	}

}
