package dev.warmup.catalog;

/**
 * One thing wrong with a catalog, and how to fix it.
 *
 * @param location the file, as an operator would name it
 * @param line counted from 1
 * @param column counted from 1
 * @param entry the place in words, such as
 * {@code scenarios[0] 'user-lifecycle' > requests[1] 'find' > expect.status}
 * @param problem what is wrong
 * @param fix what to write instead
 */
public record CatalogProblem(String location, int line, int column, String entry, String problem, String fix) {

	/** One line: {@code file:line:column entry: problem. Fix: ...}. */
	@Override
	public String toString() {
		return "%s:%d:%d %s: %s. Fix: %s".formatted(this.location, this.line, this.column, this.entry, this.problem,
				this.fix);
	}

}
