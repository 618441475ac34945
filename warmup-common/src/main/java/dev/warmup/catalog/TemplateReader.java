package dev.warmup.catalog;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;

/**
 * Reads text with placeholders in one part of the file: the variables, or a scenario.
 * Knows which names a placeholder may use there by now.
 */
final class TemplateReader {

	/** Placeholders of the catalog's own. */
	private static final Set<String> BUILT_IN = Set.of("uuid", "now", "randomInt", "env");

	private static final String ENVIRONMENT_PREFIX = "WARMUP_";

	/** Holds {@code warmup.token}, which proves claims and must not be sent. */
	private static final String SECRET = "WARMUP_TOKEN";

	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([A-Za-z_][A-Za-z0-9_]*)");

	private static final Pattern RANDOM = Pattern.compile("randomInt\\(\\s*(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})\\s*\\)");

	private static final IdGenerator IDS = new AlternativeJdkIdGenerator();

	private final Surroundings surroundings;

	private final Set<String> usable = new HashSet<>();

	private final Set<String> refused;

	private final String refusal;

	private final String fix;

	private TemplateReader(Surroundings surroundings, Set<String> refused, String refusal, String fix) {
		this.surroundings = surroundings;
		this.refused = refused;
		this.refusal = refusal;
		this.fix = fix;
	}

	/** For the values of variables, which may use no name. */
	static TemplateReader ofVariables(Surroundings surroundings, Set<String> variables) {
		return new TemplateReader(surroundings, variables, "a variable cannot use another, here '%s'",
				"write the value out; variables may use uuid, now, randomInt(a,b) and env.NAME");
	}

	/** For a scenario, which may use variables, and captures once they are set. */
	static TemplateReader ofScenario(Surroundings surroundings, Set<String> variables, Set<String> captures) {
		TemplateReader reader = new TemplateReader(surroundings, captures, "the capture '%s' is used before it is set",
				"move this request after the one that captures it");
		reader.nowUsable(variables);
		return reader;
	}

	/** Lets placeholders use more names from here on. */
	void nowUsable(Collection<String> names) {
		this.usable.addAll(names);
	}

	/**
	 * A string with placeholders, or a number or boolean, which keeps its type. A number
	 * that would lose digits that its text has, such as leading zeros, is a problem.
	 */
	Template read(Entry entry) {
		return entry.scalar()
			.map((value) -> value.isString() ? parse(entry, value.asString()) : fixed(entry, value))
			.orElseGet(() -> new Template("", List.of()));
	}

	private static Template fixed(Entry entry, JsonNode value) {
		String sent = value.asString();
		if (value.isNumber() && !entry.isWritten(sent)) {
			entry.problem("this number would be sent as %s".formatted(sent),
					"put quotes around it to send it as written");
		}
		return new Template(sent, List.of(new Template.Part.Fixed(Json.value(value))));
	}

	/** Text with placeholders; each bad one is a problem of the entry. */
	Template parse(Entry at, String source) {
		List<Template.Part> parts = new ArrayList<>();
		int from = 0;
		for (int open = source.indexOf("{{"); open >= 0; open = source.indexOf("{{", from)) {
			int close = source.indexOf("}}", open);
			if (close < 0) {
				at.problem("'{{' without '}}'", "close the placeholder: {{name}}");
				return new Template(source, parts);
			}
			parts.add(new Template.Part.Literal(source.substring(from, open)));
			parts.add(placeholder(at, source.substring(open + 2, close).strip()));
			from = close + 2;
		}
		parts.add(new Template.Part.Literal(source.substring(from)));
		return new Template(source, parts);
	}

	private Template.Part placeholder(Entry at, String text) {
		Matcher random = RANDOM.matcher(text);
		if (random.matches()) {
			return random(at, Integer.parseInt(random.group(1)), Integer.parseInt(random.group(2)));
		}
		Matcher variable = ENVIRONMENT.matcher(text);
		if (variable.matches()) {
			return environment(at, variable.group(1));
		}
		return switch (text) {
			case "uuid" -> (scope) -> uuid();
			case "now" -> (scope) -> this.surroundings.clock().instant().toString();
			default -> named(at, text);
		};
	}

	/** A number between the two, both included. */
	private static Template.Part random(Entry at, int least, int most) {
		if (least > most) {
			at.problem("the range of randomInt(%d,%d) is empty".formatted(least, most),
					"write the smaller number first");
		}
		return (scope) -> ThreadLocalRandom.current().nextInt(least, most + 1);
	}

	/** By prefix, so that a catalog cannot send any secret of the process anywhere. */
	private Template.Part environment(Entry at, String name) {
		boolean secret = name.equalsIgnoreCase(SECRET); // as Windows reads names
		if (!name.startsWith(ENVIRONMENT_PREFIX) || secret) {
			at.problem("a catalog may not read the environment variable %s".formatted(name),
					secret ? "use another: this one holds the secret that signs claims"
							: "rename it, such as {{env.%s%s}}: only names that begin with %s are read"
								.formatted(ENVIRONMENT_PREFIX, name, ENVIRONMENT_PREFIX));
			return new Template.Part.Fixed("");
		}
		String value = this.surroundings.environment().apply(name);
		if (value == null) {
			at.problem("the environment variable %s is not set".formatted(name),
					"set %s, or remove {{env.%s}}".formatted(name, name));
		}
		return new Template.Part.Fixed((value != null) ? value : "");
	}

	private Template.Part named(Entry at, String name) {
		if (name.equals("env") || name.equals("randomInt") || !NAME.matcher(name).matches()) {
			at.problem("malformed placeholder {{%s}}".formatted(name),
					"write {{uuid}}, {{now}}, {{randomInt(1,100)}}, {{env.NAME}}, or the name of a variable or capture");
		}
		else if (!this.usable.contains(name) && this.refused.contains(name)) {
			at.problem(this.refusal.formatted(name), this.fix);
		}
		else if (!this.usable.contains(name)) {
			Set<String> known = new HashSet<>(this.usable);
			known.addAll(BUILT_IN);
			at.problem("unknown placeholder {{%s}}".formatted(name), Problems.didYouMean(name, known)
				.orElse("name a variable, a capture of an earlier request, uuid, now, randomInt(a,b) or env.NAME"));
		}
		return new Template.Part.Named(name);
	}

	/**
	 * Notes a problem if a variable or capture cannot have the name that its key is.
	 */
	static void checkName(String name, Entry entry) {
		if (BUILT_IN.contains(name)) {
			entry.keyProblem("'%s' is a built-in placeholder".formatted(name), "choose another name");
		}
		else if (!NAME.matcher(name).matches()) {
			entry.keyProblem("'%s' cannot be a placeholder's name".formatted(name),
					"use letters, digits and _, beginning with a letter");
		}
	}

	/**
	 * A random UUID (version 4). Not {@code UUID.randomUUID()}, which may block an event
	 * loop for entropy.
	 */
	private static String uuid() {
		UUID random = IDS.generateId();
		return new UUID((random.getMostSignificantBits() & ~0xF000L) | 0x4000L,
				(random.getLeastSignificantBits() >>> 2) | Long.MIN_VALUE)
			.toString();
	}

	/** What {@code env} and {@code now} stand for. */
	record Surroundings(Function<String, @Nullable String> environment, Clock clock) {

		static final Surroundings OF_THIS_PROCESS = new Surroundings(System::getenv, Clock.systemUTC());

	}

}
