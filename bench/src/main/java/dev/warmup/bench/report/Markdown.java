package dev.warmup.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Tables as GitHub reads them. */
final class Markdown {

	private Markdown() {
	}

	/**
	 * Writes a table.
	 * @param head the first row
	 * @param rows the others, each as long as the first
	 * @return lines, each with its end
	 */
	static String table(List<String> head, List<List<String>> rows) {
		return row(head) + row(Collections.nCopies(head.size(), "---"))
				+ rows.stream().map(Markdown::row).collect(Collectors.joining());
	}

	private static String row(List<String> cells) {
		return cells.stream()
			.map(Markdown::cell)
			.collect(Collectors.joining(" | ", "| ", " |\n"))
			.replace("|  |", "| |");
	}

	private static String cell(String text) {
		return text.replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ");
	}

}
