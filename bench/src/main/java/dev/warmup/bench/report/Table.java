package dev.warmup.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Numbers;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;
import dev.warmup.bench.result.Unit;

/**
 * The figures of one part of a scenario. Variants are the rows; where there are many
 * metrics they are the columns, so that the table stays narrow.
 */
record Table(Summary summary, String scenario, String part) {

	private static final int WIDE = 8;

	/**
	 * Writes it.
	 * @return a line that says n, and the table
	 */
	String write() {
		List<String> variants = this.summary.variants(this.scenario, this.part);
		List<String> metrics = this.summary.metrics(this.scenario, this.part);
		int n = usualN();
		return "Median [range], n = %d%s%s.\n\n".formatted(n,
				figures().anyMatch((figure) -> figure.n() != n) ? " where nothing else is said" : "",
				metrics.stream().anyMatch(this::isHeldAgainstSteady) ? "; multiples are of the steady state" : "")
				+ ((metrics.size() > WIDE)
						? table("request", metrics, Function.identity(), variants, this.summary::title,
								(metric, variant) -> cell(series(variant, metric), n))
						: table("variant", variants, this.summary::title, metrics, Function.identity(),
								(variant, metric) -> cell(series(variant, metric), n)));
	}

	private static String table(String corner, List<String> rows, Function<String, String> rowTitle,
			List<String> columns, Function<String, String> columnTitle, BinaryOperator<String> cell) {
		return Markdown
			.table(Stream.concat(Stream.of(corner), columns.stream().map(columnTitle)).toList(), rows.stream()
				.map((row) -> Stream
					.concat(Stream.of(rowTitle.apply(row)), columns.stream().map((column) -> cell.apply(row, column)))
					.toList())
				.toList());
	}

	private Series series(String variant, String metric) {
		return new Series(this.scenario, this.part, variant, metric);
	}

	private Stream<Figure> figures() {
		return this.summary.variants(this.scenario, this.part)
			.stream()
			.flatMap((variant) -> this.summary.metrics(this.scenario, this.part)
				.stream()
				.map((metric) -> this.summary.figure(series(variant, metric))))
			.flatMap(Optional::stream);
	}

	private int usualN() {
		return figures().collect(Collectors.groupingBy(Figure::n, Collectors.counting()))
			.entrySet()
			.stream()
			.max(Map.Entry.<Integer, Long>comparingByValue().thenComparing(Comparator.comparing(Map.Entry::getKey)))
			.map(Map.Entry::getKey)
			.orElse(0);
	}

	private String cell(Series series, int n) {
		return this.summary.figure(series)
			.map((figure) -> figure.text() + multiple(series, figure)
					+ ((figure.n() != n) ? ", n = " + figure.n() : ""))
			.orElse("–");
	}

	private String multiple(Series series, Figure figure) {
		boolean timed = figure.unit() == Unit.MILLIS || figure.unit() == Unit.PER_SECOND;
		return (!timed || series.variant().equals(Summary.STEADY)) ? ""
				: this.summary.againstSteady(series)
					.stream()
					.mapToObj((ratio) -> ", **" + Numbers.ratio(ratio) + "**")
					.findFirst()
					.orElse("");
	}

	private boolean isHeldAgainstSteady(String metric) {
		return this.summary.variants(this.scenario, this.part)
			.stream()
			.map((variant) -> series(variant, metric))
			.anyMatch((series) -> this.summary.figure(series)
				.map((figure) -> multiple(series, figure))
				.orElse("")
				.length() > 0);
	}

}
