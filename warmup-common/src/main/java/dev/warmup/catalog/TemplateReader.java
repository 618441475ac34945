package dev.warmup.catalog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.ScalarNode;
import tools.jackson.databind.JsonNode;

/** Reads text with placeholders. */
final class TemplateReader {

	private static final Pattern RANDOM = Pattern.compile("randomInt\\(\\s*(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})\\s*\\)");

	private static final String ENVIRONMENT_PREFIX = "WARMUP_";

	private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([A-Za-z_][A-Za-z0-9_]*)");

	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private final Function<String, @Nullable String> environment;

	private final Clock clock;

	TemplateReader(Function<String, @Nullable String> environment, Clock clock) {
		this.environment = environment;
		this.clock = clock;
	}

	/** A string with placeholders, or a number or boolean, which keeps its type. */
	Optional<Template> read(Entry entry, Names names) {
		return entry.scalar().map((value) -> value.isString() ? parse(entry, value.asString(), names) : fixed(value));
	}

	/** Text with placeholders; each bad one is a problem of the entry. */
	Template parse(Entry at, String source, Names names) {
		List<Template.Part> parts = new ArrayList<>();
		int from = 0;
		for (int open = source.indexOf("{{"); open >= 0; open = source.indexOf("{{", from)) {
			int close = source.indexOf("}}", open);
			if (close < 0) {
				at.problem("'{{' without '}}'", "close the placeholder: {{name}}");
				return new Template(source, parts);
			}
			addLiteral(parts, source.substring(from, open));
			placeholder(at, source.substring(open + 2, close).strip(), names).ifPresent(parts::add);
			from = close + 2;
		}
		addLiteral(parts, source.substring(from));
		return new Template(source, parts);
	}

	private static void addLiteral(List<Template.Part> parts, String text) {
		if (!text.isEmpty()) {
			parts.add(new Template.Part.Literal(text));
		}
	}

	private static Template fixed(JsonNode value) {
		return new Template(value.asString(), List.of(new Template.Part.Fixed(Json.value(value))));
	}

	private Optional<Template.Part> placeholder(Entry at, String text, Names names) {
		Matcher random = RANDOM.matcher(text);
		if (random.matches()) {
			return random(at, Integer.parseInt(random.group(1)), Integer.parseInt(random.group(2)));
		}
		Matcher variable = ENVIRONMENT.matcher(text);
		if (variable.matches()) {
			return environment(at, variable.group(1));
		}
		return switch (text) {
			case "uuid" -> Optional.of(new Template.Part.Uuid());
			case "now" -> Optional.of(new Template.Part.Now(this.clock));
			default -> named(at, text, names);
		};
	}

	private Optional<Template.Part> named(Entry at, String text, Names names) {
		if (text.equals("env") || text.equals("randomInt") || !NAME.matcher(text).matches()) {
			at.problem("malformed placeholder {{%s}}".formatted(text),
					"write {{uuid}}, {{now}}, {{randomInt(1,100)}}, {{env.NAME}}, or the name of a variable or capture");
			return Optional.empty();
		}
		names.check(at, text);
		return Optional.of(new Template.Part.Named(text));
	}

	private static Optional<Template.Part> random(Entry at, int least, int most) {
		if (least > most) {
			at.problem("randomInt(%d,%d) has no number to choose".formatted(least, most),
					"write the smaller number first");
			return Optional.empty();
		}
		return Optional.of(new Template.Part.RandomInt(least, most));
	}

	/** By prefix, so that a catalog cannot send any secret of the process anywhere. */
	private Optional<Template.Part> environment(Entry at, String name) {
		if (!name.startsWith(ENVIRONMENT_PREFIX)) {
			at.problem("the environment variable %s is not for catalogs".formatted(name),
					"rename it, such as {{env.%s%s}}: only names that begin with %s are read"
						.formatted(ENVIRONMENT_PREFIX, name, ENVIRONMENT_PREFIX));
			return Optional.empty();
		}
		String value = this.environment.apply(name);
		if (value == null) {
			at.problem("the environment variable %s is not set".formatted(name),
					"set %s, or take {{env.%s}} out".formatted(name, name));
			return Optional.empty();
		}
		return Optional.of(new Template.Part.Fixed(value));
	}

	/**
	 * Which variables and captures a placeholder may name at one place of the file.
	 *
	 * @param usable names that have a value there
	 * @param refused names that exist, but have none there
	 * @param whyNot the problem with a refused name, as a format of it
	 * @param fix how to fix that
	 */
	record Names(Set<String> usable, Set<String> refused, String whyNot, String fix) {

		/** Placeholders of the catalog's own. */
		static final Set<String> BUILT_IN = Set.of("uuid", "now", "randomInt", "env");

		private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

		Names {
			usable = Set.copyOf(usable);
			refused = Set.copyOf(refused);
		}

		/** Within the values of variables. */
		static Names withinVariables(Set<String> variables) {
			return new Names(Set.of(), variables, "a variable cannot use another, here '%s'",
					"write the value out; variables may use uuid, now, randomInt(a,b) and env.NAME");
		}

		/** Within a request. */
		static Names withinRequest(Set<String> variables, Set<String> captured, Set<String> allCaptures) {
			Set<String> usable = new LinkedHashSet<>(variables);
			usable.addAll(captured);
			return new Names(usable, allCaptures, "the capture '%s' is used before it is set",
					"move this request behind the one that captures it");
		}

		/** Notes a problem if a placeholder may not name this. */
		void check(Entry at, String name) {
			if (this.usable.contains(name)) {
				return;
			}
			if (this.refused.contains(name)) {
				at.problem(this.whyNot.formatted(name), this.fix);
				return;
			}
			Set<String> known = new LinkedHashSet<>(this.usable);
			known.addAll(BUILT_IN);
			at.problem("unknown placeholder {{%s}}".formatted(name), Problems.Suggestion.nearest(name, known)
				.map("did you mean '%s'?"::formatted)
				.orElse("name a variable, a capture of an earlier request, uuid, now, randomInt(a,b) or env.NAME"));
		}

		/** Notes a problem if a variable or capture cannot have this name. */
		static void checkNew(Entry at, String name) {
			if (BUILT_IN.contains(name)) {
				at.problem("'%s' is a built-in placeholder".formatted(name), "choose another name");
			}
			else if (!WELL_FORMED.matcher(name).matches()) {
				at.problem("'%s' cannot be a placeholder's name".formatted(name),
						"use letters, digits and _, beginning with a letter");
			}
		}

	}

	/** Reads a tree of the file's values as JSON. */
	static final class JsonReader {

		private JsonReader() {
		}

		/** The tree as it stands in the file. */
		static JsonNode literal(Entry entry) {
			return read(entry, (text) -> constant((ScalarNode) text.node())).render(Scope.EMPTY);
		}

		/** The tree with placeholders in its strings. */
		static JsonTemplate template(Entry entry, TemplateReader templates, Names names) {
			return read(entry, (text) -> new JsonTemplate.Text(
					templates.parse(text, ((ScalarNode) text.node()).getValue(), names)));
		}

		private static JsonTemplate read(Entry entry, Function<Entry, JsonTemplate> text) {
			if (entry.node() instanceof ScalarNode scalar) {
				return Entry.Scalars.value(scalar).isString() ? text.apply(entry) : constant(scalar);
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
			return new JsonTemplate.Constant(Entry.Scalars.value(scalar));
		}

	}

}
