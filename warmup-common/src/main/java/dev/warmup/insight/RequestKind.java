package dev.warmup.insight;

import java.util.Set;

/**
 * What requests have in common that run through the same code, as far as a gateway can
 * tell. Holds nothing of a user: no query, no identifier, and no character that would
 * break a line of the log.
 *
 * @param method the method, or {@value #OTHER}
 * @param path the path as {@link PathTemplate} folds it
 */
record RequestKind(String method, String path) {

	/** Stands for every method that HTTP does not define, as anyone may invent some. */
	static final String OTHER = "OTHER";

	private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE");

	static RequestKind of(String method, String path) {
		return new RequestKind(METHODS.contains(method) ? method : OTHER, PathTemplate.of(path));
	}

	@Override
	public String toString() {
		return this.method + " " + this.path;
	}

}
