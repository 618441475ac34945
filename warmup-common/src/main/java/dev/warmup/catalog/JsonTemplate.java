package dev.warmup.catalog;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A JSON tree whose strings may hold placeholders; its keys may not. */
sealed interface JsonTemplate {

	/** The tree with every placeholder filled. */
	JsonNode render(Scope scope);

	/** The variables and captures it needs. */
	Set<String> names();

	/** A value without placeholders. */
	record Constant(JsonNode value) implements JsonTemplate {

		@Override
		public JsonNode render(Scope scope) {
			return this.value;
		}

		@Override
		public Set<String> names() {
			return Set.of();
		}

	}

	/** A string; one that is nothing but one placeholder takes the type of its value. */
	record Text(Template template) implements JsonTemplate {

		@Override
		public JsonNode render(Scope scope) {
			return Json.tree(this.template.value(scope));
		}

		@Override
		public Set<String> names() {
			return this.template.names();
		}

	}

	/** A list. */
	record Items(List<JsonTemplate> items) implements JsonTemplate {

		public Items {
			items = List.copyOf(items);
		}

		@Override
		public JsonNode render(Scope scope) {
			ArrayNode array = JsonNodeFactory.instance.arrayNode();
			this.items.forEach((item) -> array.add(item.render(scope)));
			return array;
		}

		@Override
		public Set<String> names() {
			return namesOf(this.items);
		}

	}

	/** An object, in file order. */
	record Members(Map<String, JsonTemplate> members) implements JsonTemplate {

		public Members {
			members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
		}

		@Override
		public JsonNode render(Scope scope) {
			ObjectNode object = JsonNodeFactory.instance.objectNode();
			this.members.forEach((name, member) -> object.set(name, member.render(scope)));
			return object;
		}

		@Override
		public Set<String> names() {
			return namesOf(this.members.values());
		}

	}

	private static Set<String> namesOf(Collection<JsonTemplate> templates) {
		return templates.stream()
			.flatMap((template) -> template.names().stream())
			.collect(Collectors.toUnmodifiableSet());
	}

}
