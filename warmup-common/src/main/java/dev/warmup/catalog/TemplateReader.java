package dev.warmup.catalog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads text with placeholders. */
final class TemplateReader {

	private static final Pattern RANDOM = Pattern.compile("randomInt\\(\\s*(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})\\s*\\)");

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
		List<Part> parts = new ArrayList<>();
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

	private static void addLiteral(List<Part> parts, String text) {
		if (!text.isEmpty()) {
			parts.add(new Part.Literal(text));
		}
	}

	private static Template fixed(JsonNode value) {
		return new Template(value.asString(), List.of(new Part.Fixed(Json.value(value))));
	}

	private Optional<Part> placeholder(Entry at, String text, Names names) {
		Matcher random = RANDOM.matcher(text);
		if (random.matches()) {
			return random(at, Integer.parseInt(random.group(1)), Integer.parseInt(random.group(2)));
		}
		Matcher variable = ENVIRONMENT.matcher(text);
		if (variable.matches()) {
			return environment(at, variable.group(1));
		}
		return switch (text) {
			case "uuid" -> Optional.of(new Part.Uuid());
			case "now" -> Optional.of(new Part.Now(this.clock));
			default -> named(at, text, names);
		};
	}

	private Optional<Part> named(Entry at, String text, Names names) {
		if (text.equals("env") || text.equals("randomInt") || !NAME.matcher(text).matches()) {
			at.problem("malformed placeholder {{%s}}".formatted(text),
					"write {{uuid}}, {{now}}, {{randomInt(1,100)}}, {{env.NAME}}, or the name of a variable or capture");
			return Optional.empty();
		}
		names.check(at, text);
		return Optional.of(new Part.Named(text));
	}

	private static Optional<Part> random(Entry at, int least, int most) {
		if (least > most) {
			at.problem("randomInt(%d,%d) has no number to choose".formatted(least, most),
					"write the smaller number first");
			return Optional.empty();
		}
		return Optional.of(new Part.RandomInt(least, most));
	}

	private Optional<Part> environment(Entry at, String name) {
		String value = this.environment.apply(name);
		if (value == null) {
			at.problem("the environment variable %s is not set".formatted(name),
					"set %s, or take {{env.%s}} out".formatted(name, name));
			return Optional.empty();
		}
		return Optional.of(new Part.Fixed(value));
	}

}
