package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code query}: a value, or a list of values, for each parameter. */
final class QueryReader {

	private QueryReader() {
	}

	static Map<String, List<Template>> read(Entry entry, TemplateReader reader, Names names) {
		Map<String, List<Template>> query = new LinkedHashMap<>();
		entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
			List<Entry> values = value.isList() ? value.items().orElseThrow() : List.of(value);
			query.put(name, values.stream().flatMap((one) -> reader.read(one, names).stream()).toList());
		}));
		return query;
	}

}
