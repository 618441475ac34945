package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.yaml.snakeyaml.nodes.ScalarNode;
import tools.jackson.databind.JsonNode;

/** Reads a tree of the file's values as JSON. */
final class JsonReader {

	private JsonReader() {
	}

	/** The tree as it stands in the file. */
	static JsonNode literal(Entry entry) {
		return read(entry, (text) -> constant((ScalarNode) text.node())).render(Scope.EMPTY);
	}

	/** The tree with placeholders in its strings. */
	static JsonTemplate template(Entry entry, TemplateReader templates, Names names) {
		return read(entry,
				(text) -> new JsonTemplate.Text(templates.parse(text, ((ScalarNode) text.node()).getValue(), names)));
	}

	private static JsonTemplate read(Entry entry, Function<Entry, JsonTemplate> text) {
		if (entry.node() instanceof ScalarNode scalar) {
			return Scalars.value(scalar).isString() ? text.apply(entry) : constant(scalar);
		}
		if (entry.isList()) {
			Optional<List<Entry>> items = entry.items();
			return new JsonTemplate.Items(items.orElseThrow().stream().map((item) -> read(item, text)).toList());
		}
		Map<String, JsonTemplate> members = new LinkedHashMap<>();
		entry.fields()
			.ifPresent((fields) -> fields.values().forEach((key, value) -> members.put(key, read(value, text))));
		return new JsonTemplate.Members(members);
	}

	private static JsonTemplate constant(ScalarNode scalar) {
		return new JsonTemplate.Constant(Scalars.value(scalar));
	}

}
