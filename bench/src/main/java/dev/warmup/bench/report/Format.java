package dev.warmup.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.variant.Variant;

/** How figures are written in Markdown. */
final class Format {

	static final String NONE = "–";

	private Format() {
	}

	/** A whole number as it is, else three significant digits. */
	static String number(double value) {
		double size = Math.abs(value);
		return String.format(Locale.ROOT,
				(size >= 100 || size == Math.rint(size)) ? "%.0f" : (size >= 10) ? "%.1f" : "%.2f", value);
	}

	/** Median and range over the rounds, such as {@code 8.10 ms [7.22–9.04]}. */
	static String cell(List<Double> values, String unit) {
		OptionalDouble median = Results.median(values);
		if (median.isEmpty()) {
			return NONE;
		}
		String range = (values.size() > 1)
				? " [%s–%s]".formatted(number(values.get(0)), number(values.get(values.size() - 1))) : "";
		return (number(median.getAsDouble()) + " " + unit).strip() + range;
	}

	/** The median alone. */
	static String brief(OptionalDouble median, String unit) {
		return median.isPresent() ? number(median.getAsDouble()) + " " + unit : NONE;
	}

	/**
	 * The kind of request that took longest when it came first, by the median of the
	 * rounds.
	 */
	static Optional<Map.Entry<String, Double>> worst(Results results, String part, String variant) {
		return Journey.REQUESTS.stream()
			.map(Journey.Request::name)
			.filter((kind) -> results.median("first", part, variant, kind).isPresent())
			.map((kind) -> Map.entry(kind, results.median("first", part, variant, kind).orElseThrow()))
			.max(Map.Entry.comparingByValue());
	}

	/** {@code sign-up 281 ms}. */
	static String worstCell(Results results, String part, String variant) {
		return worst(results, part, variant).map((worst) -> worst.getKey() + " " + number(worst.getValue()) + " ms")
			.orElse(NONE);
	}

	/** The variants that have figures in a scenario, in the order of the tables. */
	static List<Variant> variants(Results results, String scenario) {
		var measured = results.figures()
			.stream()
			.filter((figure) -> figure.scenario().equals(scenario))
			.map(Figure::variant)
			.collect(Collectors.toSet());
		return List.of(Variant.values()).stream().filter((variant) -> measured.contains(variant.id())).toList();
	}

	static String row(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |\n";
	}

	static String head(List<String> cells) {
		return row(cells) + row(cells.stream().map((cell) -> "---").toList());
	}

}
