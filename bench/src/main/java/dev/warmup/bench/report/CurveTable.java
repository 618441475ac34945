package dev.warmup.bench.report;

import java.util.List;
import java.util.Optional;

import dev.warmup.bench.result.Count;
import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Summary;

/** What each count of passes brings, beside what it takes. */
final class CurveTable {

	private CurveTable() {
	}

	/**
	 * Writes it.
	 * @param summary the figures
	 * @return a line that says what the multiples are of, and the table; empty when no
	 * count can be held against the steady state
	 */
	static String of(Summary summary) {
		List<Count> counts = Count.all(summary);
		return counts.isEmpty() ? ""
				: "\nMedian [range] of n fresh starts; multiples are of the steady state of minute five (p50 %s, p99 %s).\n\n"
					.formatted(text(Count.steady(summary, "p50")), text(Count.steady(summary, "p99")))
						+ Markdown.table(List.of("", "first 100: p50, against steady", "p99, against steady",
								"requests", "wall", "CPU from start to ready", "n"),
								counts.stream().map(CurveTable::row).toList());
	}

	private static List<String> row(Count count) {
		return List.of(count.title(), count.p50().text(), count.p99().text(), text(count.cost().requests()),
				text(count.cost().wall()), text(count.cost().cpu()), Integer.toString(count.p50().n()));
	}

	private static String text(Optional<Figure> figure) {
		return figure.map(Figure::text).orElse("–");
	}

}
