package dev.warmup.bench.report;

import java.util.Locale;
import java.util.Objects;

/**
 * One measured value: a line of {@code figures.csv}.
 *
 * @param machine the CPU time of fixed work right before, in ms; 0 when unknown
 */
public record Figure(String scenario, String part, String variant, String metric, String unit, int round,
		double machine, double value) {

	/** The first line of the file. */
	static final String HEADER = "scenario,part,variant,metric,unit,round,machine,value";

	/**
	 * Checks that it fits into a line.
	 * @throws IllegalArgumentException when a name contains a comma or a line break
	 */
	public Figure {
		for (String name : new String[] { scenario, part, variant, metric, unit }) {
			if (Objects.requireNonNull(name).matches("(?s).*[,\r\n].*")) {
				throw new IllegalArgumentException("a name with a comma or a line break: " + name);
			}
		}
	}

	static Figure parse(String line) {
		String[] field = line.split(",", -1);
		if (field.length != 8) {
			throw new IllegalArgumentException("not a figure: " + line);
		}
		return new Figure(field[0], field[1], field[2], field[3], field[4], Integer.parseInt(field[5]),
				Double.parseDouble(field[6]), Double.parseDouble(field[7]));
	}

	String line() {
		return String.join(",", this.scenario, this.part, this.variant, this.metric, this.unit,
				Integer.toString(this.round), number(this.machine), number(this.value));
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, "%.6g", value);
	}

}
