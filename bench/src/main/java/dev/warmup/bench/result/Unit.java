package dev.warmup.bench.result;

/** What a figure counts. */
public enum Unit {

	/** Milliseconds. */
	MILLIS("ms"),

	/** Seconds. */
	SECONDS("s"),

	/** Mebibytes. */
	MEBIBYTES("MiB"),

	/** Requests, errors, connections. */
	COUNT(""),

	/** Answers a second. */
	PER_SECOND("/s"),

	/** One figure as a multiple of another of the same run. */
	RATIO("x");

	private final String symbol;

	Unit(String symbol) {
		this.symbol = symbol;
	}

	/**
	 * How it is written behind a number.
	 * @return the symbol, empty for a count
	 */
	public String symbol() {
		return this.symbol;
	}

}
