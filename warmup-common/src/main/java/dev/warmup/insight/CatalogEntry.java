package dev.warmup.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes what would make a catalog cover a kind of request. */
final class CatalogEntry {

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

	private CatalogEntry() {
	}

	/**
	 * The entry for a scenario's list of requests, in short form. Each folded segment is
	 * a placeholder of its own, {@code {{id}}}, {@code {{id2}}} and so on: a catalog that
	 * defines no such variable or capture is refused at its start and says so, which is
	 * better than an identifier made up here.
	 * @param kind the kind of request
	 * @return a line of YAML, or empty for a method that may change data
	 */
	static Optional<String> of(RequestKind kind) {
		if (!SAFE.contains(kind.method())) {
			return Optional.empty();
		}
		List<String> placeholders = new ArrayList<>();
		String request = kind.method() + " " + path(kind.path(), placeholders);
		String quoted = (request.indexOf(':') >= 0) ? "\"" + request + "\"" : request;
		String advice = placeholders.isEmpty() ? ""
				: " # fill in %s, or define it as a variable or capture".formatted(String.join(", ", placeholders));
		return Optional.of("- " + quoted + advice);
	}

	private static String path(String template, List<String> placeholders) {
		StringBuilder path = new StringBuilder();
		int ids = 0;
		for (String segment : template.substring(1).split("/", -1)) {
			path.append('/');
			if (segment.equals(PathTemplate.ID)) {
				ids++;
				placeholders.add((ids == 1) ? "{{id}}" : "{{id" + ids + "}}");
				path.append(placeholders.get(placeholders.size() - 1));
			}
			else if (segment.equals(PathTemplate.REST)) {
				placeholders.add("{{rest}}");
				path.append("{{rest}}");
			}
			else {
				path.append(segment);
			}
		}
		return path.toString();
	}

}
