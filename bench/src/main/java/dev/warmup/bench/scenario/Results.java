package dev.warmup.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The results of one benchmark, and its page of tables.
 *
 * @param facts when, where and on what it ran, in the order of the page
 * @param figures all figures
 * @param notes what readers have to know, such as variants that were skipped
 */
public record Results(Map<String, String> facts, List<Figure> figures, List<String> notes) {

	private static final String FILE = "figures.csv";

	private static final String HEADER = "scenario,part,variant,metric,unit,round,machine,value";

	private static final String NOTE = "# note: ";

	private static final String NONE = "–";

	/** Copies the collections. */
	public Results {
		facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
		figures = List.copyOf(figures);
		notes = List.copyOf(notes);
	}

	/** Writes {@code figures.csv} and the page {@code README.md}. */
	public void write(Path directory) throws IOException {
		List<String> lines = new ArrayList<>();
		this.facts.forEach((name, fact) -> lines.add("# %s: %s".formatted(name, oneLine(fact))));
		this.notes.forEach((note) -> lines.add(NOTE + oneLine(note)));
		lines.add(HEADER);
		this.figures.forEach((figure) -> lines.add(figure.line()));
		Files.createDirectories(directory);
		Files.write(directory.resolve(FILE), lines);
		Files.writeString(directory.resolve("README.md"), page());
	}

	private static String oneLine(String text) {
		return text.replaceAll("\\s+", " ").strip();
	}

	/**
	 * The page: for each part of a scenario a table with a row for each variant and a
	 * column for each metric, all in the order in which they were measured first.
	 */
	String page() {
		StringBuilder text = new StringBuilder("# Results of the benchmark\n\n")
			.append("Written by `bench/run` from [figures.csv](figures.csv); how it measures: ")
			.append("[bench/README.md](../../README.md). Cells are the median [range] of the rounds.\n\n");
		this.facts.forEach((name, fact) -> text.append("- %s: %s\n".formatted(name, fact)));
		text.append("- fixed work before each step: %s\n".formatted(
				cell(this.figures.stream().map(Figure::machine).filter((speed) -> speed > 0).sorted().toList(), "ms")));
		grouped(this.figures, Figure::scenario).forEach((scenario, measured) -> {
			text.append("\n## %s\n".formatted(scenario));
			grouped(measured, Figure::part).forEach((part, figures) -> table(part, figures, text));
		});
		if (!this.notes.isEmpty()) {
			text.append("\n## Notes\n\n");
			this.notes.forEach((note) -> text.append("- %s\n".formatted(oneLine(note))));
		}
		return text.toString();
	}

	private static void table(String corner, List<Figure> figures, StringBuilder text) {
		List<String> metrics = List.copyOf(grouped(figures, Figure::metric).keySet());
		text.append("\n| %s | %s |\n".formatted(corner, String.join(" | ", metrics)));
		text.append("| --- |%s\n".formatted(" --- |".repeat(metrics.size())));
		grouped(figures, Figure::variant).forEach((variant, row) -> {
			Map<String, List<Figure>> cells = grouped(row, Figure::metric);
			text.append("| %s |".formatted(variant));
			metrics.forEach((metric) -> text.append(" %s |".formatted(cell(cells.getOrDefault(metric, List.of())))));
			text.append("\n");
		});
	}

	private static Map<String, List<Figure>> grouped(List<Figure> figures, Function<Figure, String> key) {
		Map<String, List<Figure>> groups = new LinkedHashMap<>();
		figures.forEach((figure) -> groups.computeIfAbsent(key.apply(figure), (name) -> new ArrayList<>()).add(figure));
		return groups;
	}

	private static String cell(List<Figure> figures) {
		String unit = figures.isEmpty() ? "" : figures.get(0).unit();
		return cell(figures.stream().map(Figure::value).sorted().toList(), unit.equals("count") ? "" : unit);
	}

	/** Median and range over the rounds, such as {@code 8.10 ms [7.22–9.04]}. */
	private static String cell(List<Double> sorted, String unit) {
		if (sorted.isEmpty()) {
			return NONE;
		}
		int size = sorted.size();
		double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
		String range = (size > 1) ? " [%s–%s]".formatted(number(sorted.get(0)), number(sorted.get(size - 1))) : "";
		return (number(median) + " " + unit).strip() + range;
	}

	/** A whole number as it is, else three significant digits. */
	private static String number(double value) {
		double size = Math.abs(value);
		return String.format(Locale.ROOT,
				(size >= 100 || size == Math.rint(size)) ? "%.0f" : (size >= 10) ? "%.1f" : "%.2f", value);
	}

	/**
	 * One measured value: a line of {@code figures.csv}. No name contains a comma.
	 *
	 * @param machine the CPU time of fixed work right before, in ms; 0 when unknown
	 */
	public record Figure(String scenario, String part, String variant, String metric, String unit, int round,
			double machine, double value) {

		String line() {
			return String.format(Locale.ROOT, "%s,%s,%s,%s,%s,%d,%.6g,%.6g", this.scenario, this.part, this.variant,
					this.metric, this.unit, this.round, this.machine, this.value);
		}

	}

}
