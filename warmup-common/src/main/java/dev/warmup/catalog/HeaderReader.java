package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.springframework.util.LinkedCaseInsensitiveMap;

/** Reads {@code headers}, and refuses those that are not the catalog's to set. */
final class HeaderReader {

	/** A token of RFC 9110. */
	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

	/** What is between two neighbours on the way, or what the replay sets itself. */
	private static final Set<String> RESERVED = ignoringCase("Connection", "Content-Length", "Keep-Alive",
			"Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
			"Upgrade", "X-Warmup");

	private HeaderReader() {
	}

	/** Where the file has each header's value, by name without regard to case. */
	static Map<String, Entry> entries(Optional<Entry> headers) {
		Map<String, Entry> entries = new LinkedCaseInsensitiveMap<>();
		headers.flatMap(Entry::fields).ifPresent((fields) -> fields.values().forEach((name, value) -> {
			checkName(fields.key(name), name);
			if (entries.put(name, value) != null) {
				fields.key(name).problem("the header '%s' stands twice".formatted(name), "keep one of them");
			}
		}));
		return entries;
	}

	/** The values, each of which must be one line. */
	static Map<String, Template> templates(Map<String, Entry> entries, TemplateReader reader, Names names) {
		Map<String, Template> templates = new LinkedHashMap<>();
		entries.forEach((name, entry) -> reader.read(entry, names).ifPresent((template) -> {
			if (template.breaksLine()) {
				entry.problem("the value of a header holds a line break", "write it on one line");
			}
			templates.put(name, template);
		}));
		return templates;
	}

	private static void checkName(Entry key, String name) {
		if (RESERVED.contains(name)) {
			key.problem("the header '%s' is set by the replay or by the connection".formatted(name), "remove it");
		}
		else if (!NAME.matcher(name).matches()) {
			key.problem("'%s' cannot be the name of a header".formatted(name), "use letters, digits and -");
		}
	}

	private static Set<String> ignoringCase(String... names) {
		Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		set.addAll(Set.of(names));
		return set;
	}

}
