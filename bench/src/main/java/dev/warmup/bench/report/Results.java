package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.variant.Variant;

/**
 * The results of one benchmark.
 *
 * @param facts when, where and on what it ran, in the order of the report
 * @param figures all figures
 * @param notes what readers have to know, such as variants that were skipped
 */
public record Results(Map<String, String> facts, List<Figure> figures, List<String> notes) {

	private static final String FILE = "figures.csv";

	private static final String HEADER = "scenario,part,variant,metric,unit,round,machine,value";

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
		List<String> lines = new ArrayList<>();
		this.facts.forEach((name, fact) -> lines.add("# %s: %s".formatted(name, oneLine(fact))));
		this.notes.forEach((note) -> lines.add(NOTE + oneLine(note)));
		lines.add(HEADER);
		this.figures.forEach((figure) -> lines.add(figure.line()));
		Files.createDirectories(directory);
		Files.write(directory.resolve(FILE), lines);
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
			else if (!line.equals(HEADER)) {
				figures.add(Figure.parse(line));
			}
		}
		return new Results(facts, figures, notes);
	}

	/** The variants that have figures in a scenario, in the order of the tables. */
	List<Variant> variants(String scenario) {
		List<String> ids = this.figures.stream()
			.filter((figure) -> figure.scenario().equals(scenario))
			.map(Figure::variant)
			.toList();
		return Stream.of(Variant.values()).filter((variant) -> ids.contains(variant.id())).toList();
	}

	/** The unit of a metric, empty for what is only counted. */
	String unit(String scenario, String metric) {
		return this.figures.stream()
			.filter((figure) -> figure.scenario().equals(scenario) && figure.metric().equals(metric))
			.map((figure) -> figure.unit().equals("count") ? "" : figure.unit())
			.findFirst()
			.orElse("");
	}

	/** The values of one metric over the rounds, in ascending order. */
	List<Double> values(String scenario, String part, Variant variant, String metric) {
		return this.figures.stream()
			.filter((figure) -> figure.scenario().equals(scenario) && figure.part().equals(part)
					&& figure.variant().equals(variant.id()) && figure.metric().equals(metric))
			.map(Figure::value)
			.sorted()
			.toList();
	}

	/** The median of one metric over the rounds; NaN when it was not measured. */
	double median(String scenario, String part, Variant variant, String metric) {
		return median(values(scenario, part, variant, metric));
	}

	/** The median of ascending values; NaN when there is none. */
	static double median(List<Double> sorted) {
		int size = sorted.size();
		return sorted.isEmpty() ? Double.NaN : (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
	}

	/** The medians of the first request of each kind that was measured, in ms. */
	private Map<String, Double> firsts(String part, Variant variant) {
		Map<String, Double> medians = new LinkedHashMap<>();
		for (Journey.Request request : Journey.REQUESTS) {
			medians.put(request.name(), median("first", part, variant, request.name()));
		}
		medians.values().removeIf((median) -> median.isNaN());
		return medians;
	}

	/**
	 * The kind of request that took longest when it came first, with its median in ms.
	 */
	Optional<Map.Entry<String, Double>> slowest(String part, Variant variant) {
		return firsts(part, variant).entrySet().stream().max(Map.Entry.comparingByValue());
	}

	/**
	 * The highest multiple of the steady state over all kinds of request, which need not
	 * be that of the slowest; empty where one of the two was not measured.
	 */
	Optional<Double> multiple(String part, Variant variant) {
		Map<String, Double> steady = firsts("steady", Variant.STEADY);
		return firsts(part, variant).entrySet()
			.stream()
			.map((first) -> first.getValue() / steady.getOrDefault(first.getKey(), Double.NaN))
			.filter(Double::isFinite)
			.max(Double::compare);
	}

	/**
	 * One measured value: a line of {@code figures.csv}. No name contains a comma.
	 *
	 * @param machine the CPU time of fixed work right before, in ms; 0 when unknown
	 */
	public record Figure(String scenario, String part, String variant, String metric, String unit, int round,
			double machine, double value) {

		static Figure parse(String line) {
			String[] field = line.split(",", -1);
			if (field.length != 8) {
				throw new IllegalArgumentException("not a figure: " + line);
			}
			return new Figure(field[0], field[1], field[2], field[3], field[4], Integer.parseInt(field[5]),
					Double.parseDouble(field[6]), Double.parseDouble(field[7]));
		}

		String line() {
			return String.format(Locale.ROOT, "%s,%s,%s,%s,%s,%d,%.6g,%.6g", this.scenario, this.part, this.variant,
					this.metric, this.unit, this.round, this.machine, this.value);
		}

	}

}
