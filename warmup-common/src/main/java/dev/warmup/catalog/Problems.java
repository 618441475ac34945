package dev.warmup.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.yaml.snakeyaml.error.Mark;

/** Collects what is wrong with one catalog, so that all of it can be reported at once. */
final class Problems {

	/** The first character of the file. */
	static final Mark START = mark(0, 0);

	/** The fix for a placeholder that YAML reads as a mapping. */
	static final String QUOTES = "put quotes around text with a placeholder, such as \"{{uuid}}\"";

	private final String location;

	/** In file order. */
	private final SortedSet<InvalidCatalogException.Problem> found = new TreeSet<>(
			Comparator.comparingInt(InvalidCatalogException.Problem::line)
				.thenComparingInt(InvalidCatalogException.Problem::column)
				.thenComparing(InvalidCatalogException.Problem::toString));

	Problems(String location) {
		this.location = location;
	}

	/** A place in the file; marks count from 0, as the parser does. */
	static Mark mark(int line, int column) {
		return new Mark("catalog", 0, line, column, new int[0], 0);
	}

	/** Notes a problem, once however often it is met; the root has no path. */
	void add(Mark at, String path, String problem, String fix) {
		this.found.add(new InvalidCatalogException.Problem(this.location, at.getLine() + 1, at.getColumn() + 1,
				path.isEmpty() ? "catalog" : path, problem, fix));
	}

	/** Notes a problem and gives up: nothing behind it can be read. */
	InvalidCatalogException fatal(Mark at, String problem, String fix) {
		add(at, "", problem, fix);
		return new InvalidCatalogException(this.location, List.copyOf(this.found));
	}

	void throwIfAny() {
		if (!this.found.isEmpty()) {
			throw new InvalidCatalogException(this.location, List.copyOf(this.found));
		}
	}

	/** Asks for the known word with the fewest changes from the given one, if few. */
	static Optional<String> didYouMean(String word, Collection<String> known) {
		int most = Math.max(1, word.length() / 3);
		return known.stream()
			.sorted()
			.min(Comparator.comparingInt((candidate) -> distance(word, candidate)))
			.filter((candidate) -> distance(word, candidate) <= most)
			.map("did you mean '%s'?"::formatted);
	}

	/** Levenshtein distance, without regard to case. */
	private static int distance(String word, String other) {
		int[] row = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= word.length(); i++) {
			int[] previous = row;
			row = new int[previous.length];
			row[0] = i;
			for (int j = 1; j < row.length; j++) {
				boolean same = Character.toLowerCase(word.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
				row[j] = Math.min(Math.min(previous[j], row[j - 1]) + 1, previous[j - 1] + (same ? 0 : 1));
			}
		}
		return row[other.length()];
	}

}
