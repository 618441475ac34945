package dev.warmup.catalog;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
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
	void add(Mark at, String entry, String problem, String mend) {
		add(at.getLine() + 1, at.getColumn() + 1, entry, problem, mend);
	}

	void add(int line, int column, String entry, String problem, String mend) {
		this.found.add(new CatalogProblem(this.location, line, column, entry, problem, mend));
	}

	/** Notes a problem and gives up: nothing behind it can be read. */
	InvalidCatalogException fatal(int line, int column, String problem, String mend) {
		add(line, column, "catalog", problem, mend);
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

}
