package dev.warmup.bench.result;

import java.util.Locale;

/** How numbers are written for people: with as many digits as they can bear. */
public final class Numbers {

	private Numbers() {
	}

	/**
	 * Writes a figure.
	 * @param value the figure
	 * @return two digits or more, none behind the point from 100 on
	 */
	public static String of(double value) {
		double size = Math.abs(value);
		return fixed(value, (size >= 100 || value == 0) ? 0 : (size >= 1) ? 1 : (size >= 0.1) ? 2 : 3);
	}

	/**
	 * Writes a figure with its unit.
	 * @param value the figure
	 * @param unit its unit
	 * @return such as {@code 12.3 ms} or {@code 1.90x}
	 */
	public static String of(double value, Unit unit) {
		return bare(value, unit) + ((unit == Unit.COUNT || unit == Unit.RATIO) ? unit.symbol() : " " + unit.symbol());
	}

	static String bare(double value, Unit unit) {
		return switch (unit) {
			case COUNT -> (value == Math.rint(value)) ? fixed(value, 0) : of(value);
			case RATIO -> fixed(value, (Math.abs(value) >= 100) ? 0 : (Math.abs(value) >= 10) ? 1 : 2);
			default -> of(value);
		};
	}

	/**
	 * Writes a multiple.
	 * @param value the multiple
	 * @return such as {@code 1.90x} or {@code 142x}
	 */
	public static String ratio(double value) {
		return of(value, Unit.RATIO);
	}

	/**
	 * Writes a share as a change.
	 * @param share such as 0.003
	 * @return such as {@code +0.3 %}
	 */
	public static String change(double share) {
		return String.format(Locale.ROOT, "%+.1f %%", share * 100);
	}

	private static String fixed(double value, int decimals) {
		return String.format(Locale.ROOT, "%." + decimals + "f", value);
	}

}
