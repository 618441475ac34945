package dev.warmup.jmh;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Figures as tables: what was measured, and what the library costs, which is a benchmark
 * with it less the same without.
 *
 * @param figures what was measured
 */
record Table(List<Figures> figures) {

	private static final double NANOS_OF_A_MILLISECOND = 1_000_000;

	Table {
		figures = List.copyOf(figures);
	}

	/**
	 * Writes both tables.
	 * @return lines of Markdown
	 */
	String markdown() {
		return String.join("\n", Stream.of(
				Stream.of("| benchmark | library | threads | ns a request | B a request | B: first iteration → last |",
						"| --- | --- | --- | --- | --- | --- |"),
				this.figures.stream().map(Table::measured),
				Stream.of("", "| the library's share | threads | ns a request | of a request of 1 ms | B a request |",
						"| --- | --- | --- | --- | --- |"),
				this.figures.stream().filter((each) -> each.library().isPresent()).flatMap(this::cost))
			.flatMap((lines) -> lines)
			.toList());
	}

	private static String measured(Figures each) {
		return line("| %s | %s | %d | %.0f ± %.0f | %.0f | %.0f → %.0f |", each.benchmark(), each.library(),
				each.threads(), each.nanos(), each.error(), each.bytes(), each.firstBytes(), each.lastBytes());
	}

	/** Nothing where the same was not measured without the library. */
	private Stream<String> cost(Figures with) {
		return this.figures.stream()
			.filter((each) -> !each.library().isPresent() && each.benchmark().equals(with.benchmark())
					&& each.threads() == with.threads())
			.map((without) -> {
				double nanos = with.nanos() - without.nanos();
				return line("| %s, %s | %d | %.0f ± %.0f | %.3f %% | %.0f |", with.benchmark(), with.library(),
						with.threads(), nanos, Math.hypot(with.error(), without.error()),
						nanos / NANOS_OF_A_MILLISECOND * 100, with.bytes() - without.bytes());
			});
	}

	private static String line(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
