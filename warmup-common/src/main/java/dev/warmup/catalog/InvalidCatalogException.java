package dev.warmup.catalog;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when a catalog cannot be used; names everything that is wrong with it. */
public final class InvalidCatalogException extends RuntimeException {

	private final transient List<Problem> problems;

	InvalidCatalogException(String location, List<Problem> problems) {
		super(problems.stream()
			.map((problem) -> System.lineSeparator() + "  " + problem)
			.collect(Collectors.joining("", "Warm-up catalog %s cannot be used:".formatted(location), "")));
		this.problems = List.copyOf(problems);
	}

	/** At least one problem, in file order. */
	public List<Problem> problems() {
		return this.problems;
	}

	/**
	 * One thing wrong with a catalog, at a line and column counted from 1 and an entry
	 * such as {@code scenarios[0] 'user-lifecycle' > requests[1] 'find' > expect.status}.
	 */
	public record Problem(String location, int line, int column, String entry, String problem, String fix) {

		/** One line: {@code file:line:column entry: problem. Fix: ...}. */
		@Override
		public String toString() {
			return "%s:%d:%d %s: %s. Fix: %s".formatted(this.location, this.line, this.column, this.entry, this.problem,
					this.fix);
		}

	}

}
