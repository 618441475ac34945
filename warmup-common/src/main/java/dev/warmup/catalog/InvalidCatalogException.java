package dev.warmup.catalog;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when a catalog cannot be used; names everything that is wrong with it. */
public final class InvalidCatalogException extends RuntimeException {

	private final String location;

	private final transient List<CatalogProblem> problems;

	InvalidCatalogException(String location, List<CatalogProblem> problems) {
		super(problems.stream()
			.map((problem) -> System.lineSeparator() + "  " + problem)
			.collect(Collectors.joining("", "Warm-up catalog %s cannot be used:".formatted(location), "")));
		this.location = location;
		this.problems = List.copyOf(problems);
	}

	/**
	 * The catalog's location.
	 * @return the file, as an operator would name it
	 */
	public String location() {
		return this.location;
	}

	/**
	 * Everything that is wrong.
	 * @return at least one problem, in file order
	 */
	public List<CatalogProblem> problems() {
		return this.problems;
	}

}
