package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;

/** Reads {@code capture}: names for values of the answer. */
final class CaptureReader {

	private CaptureReader() {
	}

	static Map<String, JsonPath> read(Entry entry, Set<String> variables) {
		Map<String, JsonPath> captures = new LinkedHashMap<>();
		entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
			Entry key = fields.key(name);
			Names.checkNew(key, name);
			if (variables.contains(name)) {
				key.problem("the capture '%s' has the name of a variable".formatted(name), "rename one of them");
			}
			value.text().flatMap((path) -> path(value, path)).ifPresent((path) -> captures.put(name, path));
		}));
		return captures;
	}

	/** Compiles a JSONPath; a bad one is a problem of the entry. */
	static Optional<JsonPath> path(Entry at, String path) {
		String mend = "write a JSONPath that begins with $, such as $.id";
		if (!path.startsWith("$")) {
			at.problem("'%s' is not a JSONPath".formatted(path), mend);
			return Optional.empty();
		}
		try {
			return Optional.of(JsonPath.compile(path));
		}
		catch (InvalidPathException ex) {
			at.problem("'%s' is not a JSONPath: %s".formatted(path, ex.getMessage()), mend);
			return Optional.empty();
		}
	}

}
