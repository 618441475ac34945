package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The results of one benchmark.
 *
 * @param facts when, where and on what it ran, in the order of the report
 * @param figures all figures
 * @param notes what readers have to know, such as variants that were skipped
 */
public record Results(Map<String, String> facts, List<Figure> figures, List<String> notes) {

	private static final String FILE = "figures.csv";

	private static final String NOTE = "# note: ";

	/** Copies the collections. */
	public Results {
		facts = new LinkedHashMap<>(facts);
		figures = List.copyOf(figures);
		notes = List.copyOf(notes);
	}

	/**
	 * Writes {@code figures.csv}, with facts and notes as comments before the figures.
	 * @param directory where to, created if missing
	 * @throws IOException when it cannot be written
	 */
	public void write(Path directory) throws IOException {
		Stream<String> about = Stream.concat(
				this.facts.entrySet().stream().map((fact) -> "# " + fact.getKey() + ": " + oneLine(fact.getValue())),
				this.notes.stream().map((note) -> NOTE + oneLine(note)));
		Files.createDirectories(directory);
		Files.write(directory.resolve(FILE),
				Stream.of(about, Stream.of(Figure.HEADER), this.figures.stream().map(Figure::line))
					.flatMap((lines) -> lines)
					.toList());
	}

	private static String oneLine(String text) {
		return text.replaceAll("\\s+", " ").strip();
	}

	/**
	 * Reads what {@link #write} wrote.
	 * @throws IOException when there is no such file
	 * @throws IllegalArgumentException when a line is not as expected
	 */
	public static Results read(Path directory) throws IOException {
		Map<String, String> facts = new LinkedHashMap<>();
		List<Figure> figures = new ArrayList<>();
		List<String> notes = new ArrayList<>();
		for (String line : Files.readAllLines(directory.resolve(FILE))) {
			if (line.startsWith(NOTE)) {
				notes.add(line.substring(NOTE.length()));
			}
			else if (line.startsWith("# ")) {
				String[] fact = line.substring(2).split(": ", 2);
				facts.put(fact[0], (fact.length > 1) ? fact[1] : "");
			}
			else if (!line.equals(Figure.HEADER)) {
				figures.add(Figure.parse(line));
			}
		}
		return new Results(facts, figures, notes);
	}

	/** The values of one metric over the rounds. */
	List<Double> values(String scenario, String part, String variant, String metric) {
		return this.figures.stream()
			.filter((figure) -> figure.scenario().equals(scenario) && figure.part().equals(part)
					&& figure.variant().equals(variant) && figure.metric().equals(metric))
			.map(Figure::value)
			.sorted()
			.toList();
	}

	/** The median of one metric over the rounds, empty when it was not measured. */
	OptionalDouble median(String scenario, String part, String variant, String metric) {
		return median(values(scenario, part, variant, metric));
	}

	static OptionalDouble median(Collection<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return sorted.isEmpty() ? OptionalDouble.empty() : OptionalDouble
			.of((sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
	}

	/** The names that a kind of figure has, in the order in which they were measured. */
	List<String> metrics(String scenario, String part) {
		return this.figures.stream()
			.filter((figure) -> figure.scenario().equals(scenario) && figure.part().equals(part))
			.map(Figure::metric)
			.distinct()
			.toList();
	}

}
