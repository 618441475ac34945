package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the whole document: its version, variables, defaults and scenarios. */
final class DocumentReader {

	private static final Set<String> KEYS = Set.of("version", "variables", "defaults", "scenarios");

	private final TemplateReader templates;

	private final BodyReader bodies;

	DocumentReader(TemplateReader templates, CatalogFiles files) {
		this.templates = templates;
		this.bodies = new BodyReader(templates, files);
	}

	/** The catalog as far as it can be read. */
	Catalog read(Entry root, String location) {
		return root.fields(KEYS).map((fields) -> {
			fields.require("version", "add 'version: 1'").ifPresent((version) -> version.integer(1, 1));
			Map<String, Template> variables = section(fields, "variables").map(this::variables).orElse(Map.of());
			Set<String> names = section(fields, "variables").map((entry) -> Outline.keys(entry.node()))
				.orElse(Set.of());
			Defaults defaults = section(fields, "defaults").map(Defaults::read).orElse(Defaults.NONE);
			ScenarioReader scenarios = new ScenarioReader(names,
					new RequestReader(this.templates, this.bodies, defaults));
			List<Entry> entries = section(fields, "scenarios").flatMap(Entry::items).orElse(List.of());
			return new Catalog(location, variables,
					entries.stream().flatMap((entry) -> scenarios.read(entry).stream()).toList());
		}).orElseGet(() -> new Catalog(location, Map.of(), List.of()));
	}

	/** A part of the file; one whose content is commented out is as good as absent. */
	private static Optional<Entry> section(Fields fields, String key) {
		return fields.find(key).filter((entry) -> !entry.isNull());
	}

	private Map<String, Template> variables(Entry entry) {
		Map<String, Template> variables = new LinkedHashMap<>();
		Names names = Names.withinVariables(Outline.keys(entry.node()));
		entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
			Names.checkNew(fields.key(name), name);
			this.templates.read(value, names).ifPresent((template) -> variables.put(name, template));
		}));
		return variables;
	}

}
