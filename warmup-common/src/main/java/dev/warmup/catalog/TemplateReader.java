package dev.warmup.catalog;

import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

	private static final Set<String> BUILT_IN = Set.of("uuid", "now", "randomInt", "env");

	/** Not {@code warmup.secret}, in upper or lower case, as Windows reads names. */
	private static final Pattern READABLE = Pattern.compile("WARMUP_(?!(?i:SECRET)$).*");

	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

	private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([A-Za-z_][A-Za-z0-9_]*)");

	private static final Pattern RANDOM = Pattern.compile("randomInt\\(\\s*(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})\\s*\\)");

	/** The pattern is all that follows the first comma. */
	private static final Pattern TIME = Pattern.compile("now\\(\\s*([+-]\\d{1,9})([smhdw])\\s*(?:,\\s*(.+?)\\s*)?\\)");

	private static final Map<String, Integer> SECONDS = Map.of("s", 1, "m", 60, "h", 3_600, "d", 86_400, "w", 604_800);

	private static final String FILE = "file:";

	private static final IdGenerator IDS = new AlternativeJdkIdGenerator();

	private final Function<String, @Nullable String> environment;

	private final Set<String> usable;

	private final Set<String> unset;

	/** For a part of the file in which these names are usable, and those not yet. */
	TemplateReader(Function<String, @Nullable String> environment, Set<String> usable, Set<String> unset) {
		this.environment = environment;
		this.usable = new HashSet<>(usable);
		this.unset = unset;
	}

	/** Lets placeholders use more names from here on. */
	void nowUsable(Set<String> names) {
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
		Object known = Json.value(value);
		return new Template(sent, List.of((scope) -> known));
	}

	/** Text with placeholders; each bad one is a problem of the entry. */
	Template parse(Entry at, String source) {
		List<Template.Part> parts = new ArrayList<>();
		int from = 0;
		for (int open = source.indexOf("{{"); open >= 0; open = source.indexOf("{{", from)) {
			int close = source.indexOf("}}", open);
			if (close < 0) {
				at.problem("'{{' without '}}'", "close the placeholder: {{name}}");
				break;
			}
			parts.add(new Template.Literal(source.substring(from, open)));
			parts.add(placeholder(at, source.substring(open + 2, close).strip()));
			from = close + 2;
		}
		parts.add(new Template.Literal(source.substring(from)));
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
		if (text.startsWith(FILE)) {
			return file(at, text.substring(FILE.length()));
		}
		if (text.startsWith("now(")) {
			return time(at, text);
		}
		return switch (text) {
			case "uuid" -> (scope) -> uuid();
			case "now" -> (scope) -> Instant.now().toString();
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

	/** Written once here, with as many digits as a time has, to find what fails. */
	private static Template.Part time(Entry at, String text) {
		try {
			Matcher time = TIME.matcher(text);
			if (!time.matches()) {
				throw new DateTimeException("it has no offset of a sign, a number and a unit");
			}
			long offset = Long.parseLong(time.group(1)) * SECONDS.getOrDefault(time.group(2), 0);
			DateTimeFormatter format = (time.group(3) == null) ? DateTimeFormatter.ISO_INSTANT
					: DateTimeFormatter.ofPattern(time.group(3), Locale.ENGLISH).withZone(ZoneOffset.UTC);
			format.formatTo(Instant.parse("9999-12-31T23:59:59.999999999Z"), new StringBuilder());
			return (scope) -> format.format(Instant.now().plusSeconds(offset));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			at.problem("{{%s}} is not a time: %s".formatted(text, ex.getMessage()),
					"write it such as now(+30d) or now(-2h, yyyy-MM-dd'T'HH:mm): an offset in s, m, h, d or w, and a "
							+ "pattern of Java's DateTimeFormatter, if any");
			return new Template.Literal("");
		}
	}

	/** By prefix, so that a catalog cannot send any secret of the process anywhere. */
	private Template.Part environment(Entry at, String name) {
		if (!READABLE.matcher(name).matches()) {
			at.problem("a catalog may not read the environment variable %s".formatted(name),
					"use one whose name begins with WARMUP_, other than WARMUP_SECRET");
			return new Template.Literal("");
		}
		String value = this.environment.apply(name);
		if (value == null) {
			at.problem("the environment variable %s is not set".formatted(name),
					"set %s, or remove {{env.%s}}".formatted(name, name));
			return new Template.Literal("");
		}
		return (scope) -> value;
	}

	/** Read here, too, so that a wrong path is found at the start. */
	private static Template.Part file(Entry at, String path) {
		Template.FileText file = new Template.FileText(path);
		try {
			file.value(Template.Scope.EMPTY);
			return file;
		}
		catch (UncheckedIOException ex) {
			at.problem(String.valueOf(ex.getMessage()),
					"name a text file of at most 64 KiB by its absolute path, such as {{file:/run/secrets/login}}");
			return new Template.Literal("");
		}
	}

	private Template.Part named(Entry at, String name) {
		if (!this.usable.contains(name) && this.unset.contains(name)) {
			at.problem("'%s' is used before it is set".formatted(name),
					"use a capture in requests after its own, and no variable in a variable");
		}
		else if (!this.usable.contains(name)) {
			Set<String> known = new HashSet<>(this.usable);
			known.addAll(Set.of("uuid", "now"));
			at.problem("unknown placeholder {{%s}}".formatted(name), Problems.didYouMean(name, known)
				.orElse("write uuid, now, now(+30d), randomInt(1,100), env.WARMUP_NAME, file:/path, a variable, or an earlier capture"));
		}
		return new Template.Named(name);
	}

	/** Notes a problem if a variable or capture cannot have the name of its key. */
	static void checkName(String name, Entry entry) {
		if (BUILT_IN.contains(name) || !NAME.matcher(name).matches()) {
			entry.keyProblem("'%s' cannot be the name of a variable or capture".formatted(name),
					"use letters, digits and _, beginning with a letter, and none of uuid, now, randomInt, env");
		}
	}

	/** A random UUID (version 4). {@code UUID.randomUUID()} may block an event loop. */
	private static String uuid() {
		UUID random = IDS.generateId();
		return new UUID((random.getMostSignificantBits() & ~0xF000L) | 0x4000L,
				(random.getLeastSignificantBits() >>> 2) | Long.MIN_VALUE)
			.toString();
	}

}
