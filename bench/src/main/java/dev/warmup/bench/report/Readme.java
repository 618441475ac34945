package dev.warmup.bench.report;

import java.util.List;

import dev.warmup.bench.variant.Variant;

/** The small table in the repository's README. */
public final class Readme {

	private static final String BEGIN = "<!-- bench: begin -->";

	private static final String END = "<!-- bench: end -->";

	private Readme() {
	}

	/**
	 * Replaces what is between the two markers.
	 * @param readme the README
	 * @param results the results to show
	 * @return the README with the table of these results
	 * @throws IllegalStateException when it does not have each marker once, in order
	 */
	public static String update(String readme, Results results) {
		int begin = readme.indexOf(BEGIN);
		int end = readme.indexOf(END);
		if (begin < 0 || end < begin || readme.lastIndexOf(BEGIN) != begin || readme.lastIndexOf(END) != end) {
			throw new IllegalStateException("README.md needs one line %s and below it one %s".formatted(BEGIN, END));
		}
		return readme.substring(0, begin + BEGIN.length()) + "\n" + block(results) + readme.substring(end);
	}

	private static String block(Results results) {
		StringBuilder text = new StringBuilder(Format.head(List.of("", "slowest first request",
				"first 100 requests: p50", "p99", "50 users at once, first second: p99")));
		for (Variant variant : Format.variants(results, "first")) {
			String id = variant.id();
			text.append(Format.row(List.of(variant.title(), Format.worstCell(results, "everything", id),
					Format.brief(results.median("first", "everything", id, "p50"), "ms"),
					Format.brief(results.median("first", "everything", id, "p99"), "ms"),
					Format.brief(results.median("burst", "1 s", id, "p99"), "ms"))));
		}
		return text
			.append("\nMedians of fresh starts, `bench/run` at commit %s on %s cores, n = %s, %s; ".formatted(
					fact(results, "commit"), fact(results, "cores"), fact(results, "rounds"),
					fact(results, "JDK of the stack")))
			.append("all figures: [bench/results/latest](bench/results/latest/README.md).\n")
			.toString();
	}

	private static String fact(Results results, String name) {
		return results.facts().getOrDefault(name, "unknown");
	}

}
