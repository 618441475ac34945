package dev.warmup.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.yaml.snakeyaml.error.Mark;

/** Collects what is wrong with one catalog, so that all of it can be said at once. */
final class Problems {

	private final String location;

	private final Set<CatalogProblem> found = new LinkedHashSet<>();

	Problems(String location) {
		this.location = location;
	}

	/** Notes a problem at a mark of the parser, which counts from 0. */
	void add(Mark at, String entry, String problem, String fix) {
		add(at.getLine() + 1, at.getColumn() + 1, entry, problem, fix);
	}

	void add(int line, int column, String entry, String problem, String fix) {
		this.found.add(new CatalogProblem(this.location, line, column, entry, problem, fix));
	}

	/** Notes a problem and gives up: nothing behind it can be read. */
	InvalidCatalogException fatal(int line, int column, String problem, String fix) {
		add(line, column, "catalog", problem, fix);
		return exception();
	}

	/**
	 * Ends the reading of a catalog that has problems.
	 * @throws InvalidCatalogException if there is any
	 */
	void throwIfAny() {
		if (!this.found.isEmpty()) {
			throw exception();
		}
	}

	private InvalidCatalogException exception() {
		List<CatalogProblem> inFileOrder = this.found.stream()
			.sorted(Comparator.comparingInt(CatalogProblem::line).thenComparingInt(CatalogProblem::column))
			.toList();
		return new InvalidCatalogException(this.location, inFileOrder);
	}

	/** Guesses what a mistyped word was meant to be. */
	static final class Suggestion {

		private Suggestion() {
		}

		/** A fix for an unknown key. */
		static String amongKeys(String key, Collection<String> allowed) {
			return nearest(key, allowed).map("did you mean '%s'?"::formatted)
				.orElseGet(() -> "use one of " + listed(allowed));
		}

		/**
		 * The known word with the fewest changes from the given one, if those are few.
		 */
		static Optional<String> nearest(String word, Collection<String> known) {
			int most = Math.max(1, word.length() / 3);
			return known.stream()
				.sorted()
				.min(Comparator.comparingInt((candidate) -> distance(word, candidate)))
				.filter((candidate) -> distance(word, candidate) <= most);
		}

		static String listed(Collection<String> words) {
			return String.join(", ", words.stream().sorted().toList());
		}

		/**
		 * Levenshtein distance, without regard to case, one row of the table at a time.
		 */
		private static int distance(String word, String other) {
			int[] row = new int[other.length() + 1];
			for (int i = 0; i <= word.length(); i++) {
				int diagonal = (i == 0) ? 0 : row[0];
				row[0] = i;
				for (int j = 1; j <= other.length(); j++) {
					int above = row[j];
					boolean same = i > 0
							&& Character.toLowerCase(word.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
					row[j] = (i == 0) ? j : Math.min(Math.min(above, row[j - 1]) + 1, diagonal + (same ? 0 : 1));
					diagonal = above;
				}
			}
			return row[other.length()];
		}

	}

}
