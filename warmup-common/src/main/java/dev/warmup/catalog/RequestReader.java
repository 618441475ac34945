package dev.warmup.catalog;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.util.LinkedCaseInsensitiveMap;

/** Reads one request, in its short form or as a mapping. */
final class RequestReader {

	private static final Set<String> KEYS = Set.of("name", "method", "path", "query", "headers", "body", "json",
			"bodyFile", "expect", "capture", "timeout");

	private final TemplateReader templates;

	private final BodyReader bodies;

	private final Defaults defaults;

	RequestReader(TemplateReader templates, BodyReader bodies, Defaults defaults) {
		this.templates = templates;
		this.bodies = bodies;
		this.defaults = defaults;
	}

	/** The request as far as it can be read; empty if it lacks a method or path. */
	Optional<RequestTemplate> read(Entry entry, Place place) {
		if (entry.isString()) {
			Entry.Fields none = new Entry.Fields(entry, Map.of(), Map.of());
			return entry.text()
				.flatMap((text) -> RequestLine.parse(entry, text))
				.flatMap((line) -> read(line, none, place));
		}
		if (!entry.isMapping()) {
			entry.wrongType("a request", "write METHOD /path, or a mapping with a path");
			return Optional.empty();
		}
		return entry.fields(KEYS).flatMap((fields) -> line(fields, entry).flatMap((line) -> read(line, fields, place)));
	}

	private static Optional<RequestLine> line(Entry.Fields fields, Entry entry) {
		Optional<Entry> method = fields.find("method");
		Optional<String> verb = method.map(Entry::text).orElse(Optional.of("GET"));
		return fields.require("path", "add the path, such as /chat-service/users")
			.flatMap((path) -> path.text()
				.flatMap((text) -> verb.map((known) -> new RequestLine(known, text, method.orElse(entry), path))));
	}

	private Optional<RequestTemplate> read(RequestLine line, Entry.Fields fields, Place place) {
		TemplateReader.Names names = place.names();
		Optional<HttpMethod> method = line.method(place.unsafe());
		Template path = line.path(this.templates, names);
		Map<String, Entry> headers = HeaderReader.entries(fields.find("headers"));
		this.defaults.headers().forEach(headers::putIfAbsent);
		RequestTemplate request = new RequestTemplate(name(line, fields, place), method.orElse(HttpMethod.GET), path,
				fields.find("query").map((query) -> QueryReader.read(query, this.templates, names)).orElse(Map.of()),
				HeaderReader.templates(headers, this.templates, names), this.bodies.read(fields, names),
				fields.find("expect")
					.map((expect) -> ExpectationReader.read(expect, this.defaults.expect()))
					.orElse(this.defaults.expect()),
				fields.find("capture")
					.map((capture) -> CaptureReader.read(capture, place.variables()))
					.orElse(Map.of()),
				fields.find("timeout").flatMap(Durations::read).orElse(this.defaults.timeout()));
		return method.map((known) -> request);
	}

	private static String name(RequestLine line, Entry.Fields fields, Place place) {
		return fields.find("name")
			.flatMap((entry) -> entry.line().map((name) -> place.requestNames().written(entry, name)))
			.orElseGet(() -> place.requestNames().derived(line.toString()));
	}

	/**
	 * Where a request stands.
	 *
	 * @param variables the catalog's variables
	 * @param names what its placeholders may name
	 * @param requestNames the names of the scenario's requests
	 * @param unsafe whether its method may change data
	 */
	record Place(Set<String> variables, TemplateReader.Names names, RequestNames requestNames, boolean unsafe) {
	}

	/**
	 * Method and path of a request.
	 *
	 * @param method the method as written
	 * @param path the path as written
	 * @param methodAt where the method stands
	 * @param pathAt where the path stands
	 */
	record RequestLine(String method, String path, Entry methodAt, Entry pathAt) {

		private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS");

		private static final List<String> UNSAFE = List.of("POST", "PUT", "PATCH", "DELETE");

		private static final Pattern ABSOLUTE = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*:)?//.*");

		/** The short form, {@code METHOD /path}. */
		static Optional<RequestLine> parse(Entry at, String text) {
			int space = text.indexOf(' ');
			if (space < 0) {
				at.problem("'%s' is not METHOD /path".formatted(text),
						"write both" + (text.startsWith("/") ? ", such as GET " + text : ""));
				return Optional.empty();
			}
			return Optional.of(new RequestLine(text.substring(0, space), text.substring(space).stripLeading(), at, at));
		}

		/** The method; one that is unknown, or may not be used here, is a problem. */
		Optional<HttpMethod> method(boolean unsafeAllowed) {
			if (SAFE.contains(this.method)) {
				return Optional.of(HttpMethod.valueOf(this.method));
			}
			if (!UNSAFE.contains(this.method)) {
				this.methodAt.problem("unknown method '%s'".formatted(this.method),
						"use one of %s, %s".formatted(String.join(", ", SAFE), String.join(", ", UNSAFE)));
				return Optional.empty();
			}
			if (!unsafeAllowed) {
				this.methodAt.problem(
						"%s may change data, and the scenario is not marked unsafe".formatted(this.method),
						"add 'unsafe: true' to the scenario, or use one of " + String.join(", ", SAFE));
			}
			return Optional.of(HttpMethod.valueOf(this.method));
		}

		/** The path; one that leads elsewhere than below the gateway is a problem. */
		Template path(TemplateReader templates, TemplateReader.Names names) {
			if (ABSOLUTE.matcher(this.path).matches()) {
				this.pathAt.problem("'%s' is an absolute URL".formatted(this.path),
						"write the path only; every request goes through the gateway");
			}
			else if (!this.path.startsWith("/")) {
				this.pathAt.problem("the path '%s' does not begin with /".formatted(this.path), "write /" + this.path);
			}
			if (this.path.contains("#")) {
				this.pathAt.problem("the path '%s' has a fragment, which is never sent".formatted(this.path),
						"remove it, or write %23 for #");
			}
			return templates.parse(this.pathAt, this.path, names);
		}

		@Override
		public String toString() {
			return this.method + " " + this.path;
		}

	}

	/** Reads {@code headers}, and refuses those that are not the catalog's to set. */
	static final class HeaderReader {

		/** A token of RFC 9110. */
		private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

		/** What is between two neighbors on the way, or what the replay sets itself. */
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
		static Map<String, Template> templates(Map<String, Entry> entries, TemplateReader reader,
				TemplateReader.Names names) {
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

	/**
	 * Reads {@code body}, {@code json} or {@code bodyFile}, of which a request has at
	 * most one.
	 */
	static final class BodyReader {

		static final Set<String> KEYS = Set.of("body", "json", "bodyFile");

		private final TemplateReader templates;

		private final CatalogFiles files;

		BodyReader(TemplateReader templates, CatalogFiles files) {
			this.templates = templates;
			this.files = files;
		}

		Optional<Body> read(Entry.Fields request, TemplateReader.Names names) {
			List<String> present = request.present(KEYS);
			present.stream()
				.skip(1)
				.forEach((key) -> request.key(key)
					.problem("the request already has a body, '%s'".formatted(present.get(0)), "keep one of them"));
			return request.find("body")
				.flatMap((entry) -> text(entry, names))
				.or(() -> request.find("json")
					.map((entry) -> new Body.Tree(TemplateReader.JsonReader.template(entry, this.templates, names))))
				.or(() -> request.find("bodyFile").flatMap((entry) -> file(entry, names)));
		}

		private Optional<Body> text(Entry entry, TemplateReader.Names names) {
			return entry.text()
				.map((text) -> new Body.Text(this.templates.parse(entry, text, names), Optional.empty()));
		}

		private Optional<Body> file(Entry entry, TemplateReader.Names names) {
			return entry.text().flatMap((path) -> {
				Optional<MediaType> type = MediaTypeFactory.getMediaType(path);
				return bytes(entry, path).map((bytes) -> CatalogFiles.text(bytes)
					.<Body>map((text) -> new Body.Text(this.templates.parse(entry, text, names), type))
					.orElseGet(() -> new Body.Binary(bytes, type)));
			});
		}

		private Optional<byte[]> bytes(Entry entry, String path) {
			try {
				Optional<byte[]> bytes = this.files.readBeside(path);
				if (bytes.isEmpty()) {
					entry.problem("the file '%s' is over 1 MiB".formatted(path), "send less");
				}
				return bytes;
			}
			catch (IOException ex) {
				entry.problem("the file '%s' cannot be read".formatted(path),
						"name a file by its path from the catalog's folder");
				return Optional.empty();
			}
		}

	}

	/** Reads {@code capture}: names for values of the answer. */
	static final class CaptureReader {

		private CaptureReader() {
		}

		static Map<String, JsonPath> read(Entry entry, Set<String> variables) {
			Map<String, JsonPath> captures = new LinkedHashMap<>();
			entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
				Entry key = fields.key(name);
				TemplateReader.Names.checkNew(key, name);
				if (variables.contains(name)) {
					key.problem("the capture '%s' has the name of a variable".formatted(name), "rename one of them");
				}
				value.text().flatMap((path) -> path(value, path)).ifPresent((path) -> captures.put(name, path));
			}));
			return captures;
		}

		/** Compiles a JSONPath; a bad one is a problem of the entry. */
		static Optional<JsonPath> path(Entry at, String path) {
			String fix = "write a JSONPath that begins with $, such as $.id";
			if (!path.startsWith("$")) {
				at.problem("'%s' is not a JSONPath".formatted(path), fix);
				return Optional.empty();
			}
			try {
				return Optional.of(JsonPath.compile(path));
			}
			catch (InvalidPathException ex) {
				at.problem("'%s' is not a JSONPath: %s".formatted(path, ex.getMessage()), fix);
				return Optional.empty();
			}
		}

	}

	/** Reads {@code expect}; what it leaves open is as the defaults say. */
	static final class ExpectationReader {

		private static final Pattern STATUS = Pattern.compile("[2-5](xx|[0-9]{2})");

		private static final String STATUS_FIX = "write 200, 2xx, or a list such as [200, 404]";

		private ExpectationReader() {
		}

		static Expectation read(Entry entry, Expectation defaults) {
			return entry.fields(Set.of("status", "maxLatency", "json"))
				.map((fields) -> new Expectation(
						fields.find("status").flatMap(ExpectationReader::statuses).orElse(defaults.status()),
						fields.find("maxLatency").flatMap(Durations::read).or(defaults::maxLatency),
						fields.find("json").map((json) -> values(json, defaults.json())).orElse(defaults.json())))
				.orElse(defaults);
		}

		private static Optional<Expectation.StatusExpectation> statuses(Entry entry) {
			List<Entry> entries = entry.isList() ? entry.items().orElseThrow() : List.of(entry);
			if (entries.isEmpty()) {
				entry.problem("no status is accepted", STATUS_FIX);
			}
			List<String> accepted = entries.stream().flatMap((one) -> status(one).stream()).toList();
			return accepted.isEmpty() ? Optional.empty() : Optional.of(new Expectation.StatusExpectation(accepted));
		}

		/** An exact status is a number, a class of statuses a string. */
		private static Optional<String> status(Entry entry) {
			return entry.scalar().flatMap((value) -> {
				boolean rightType = value.isIntegralNumber() || (value.isString() && value.asString().endsWith("xx"));
				if (!rightType || !STATUS.matcher(value.asString()).matches()) {
					entry.wrongType("a status from 200 to 599 or a class from 2xx to 5xx", STATUS_FIX);
					return Optional.empty();
				}
				return Optional.of(value.asString());
			});
		}

		private static Map<String, Object> values(Entry entry, Map<String, Object> defaults) {
			Map<String, Object> values = new LinkedHashMap<>(defaults);
			entry.fields().ifPresent((fields) -> fields.values().forEach((path, value) -> {
				CaptureReader.path(fields.key(path), path);
				values.put(path, TemplateReader.JsonReader.literal(value));
			}));
			return values;
		}

	}

	/**
	 * What the catalog adds to each request that does not say otherwise.
	 *
	 * @param headers where the file has each header's value, by name without regard to
	 * case
	 * @param timeout the longest wait for an answer
	 * @param expect what an answer must be
	 */
	record Defaults(Map<String, Entry> headers, Duration timeout, Expectation expect) {

		/**
		 * What holds where the file has no defaults. Ten seconds, since the first answer
		 * of a cold service is slow, and that is no failure.
		 */
		static final Defaults NONE = new Defaults(new LinkedCaseInsensitiveMap<>(), Duration.ofSeconds(10),
				new Expectation(Expectation.StatusExpectation.SUCCESSFUL, Optional.empty(), Map.of()));

		/** Reads the file's {@code defaults}. */
		static Defaults read(Entry entry) {
			return entry.fields(Set.of("headers", "timeout", "expect"))
				.map((fields) -> new Defaults(HeaderReader.entries(fields.find("headers")),
						fields.find("timeout").flatMap(Durations::read).orElse(NONE.timeout()),
						fields.find("expect")
							.map((expect) -> ExpectationReader.read(expect, NONE.expect()))
							.orElse(NONE.expect())))
				.orElse(NONE);
		}

	}

	/**
	 * Reads durations as Spring Boot writes them; a bare number is refused for want of a
	 * unit.
	 */
	static final class Durations {

		private static final Duration LONGEST = Duration.ofMinutes(10);

		private static final Pattern WITH_UNIT = Pattern.compile("[0-9]{1,9}(ns|us|ms|s|m|h|d)|P[0-9DTHMS.]+");

		private static final String FIX = "write a number and its unit, such as 500ms or 2s, up to 10m";

		private Durations() {
		}

		/** A positive duration of at most ten minutes. */
		static Optional<Duration> read(Entry entry) {
			Optional<String> text = entry.text(FIX);
			Optional<Duration> inRange = text.flatMap(Durations::parse)
				.filter((duration) -> duration.compareTo(Duration.ZERO) > 0 && duration.compareTo(LONGEST) <= 0);
			if (text.isPresent() && inRange.isEmpty()) {
				entry.problem("'%s' is not a positive duration of at most 10 minutes".formatted(text.get()), FIX);
			}
			return inRange;
		}

		private static Optional<Duration> parse(String text) {
			if (!WITH_UNIT.matcher(text).matches()) {
				return Optional.empty();
			}
			try {
				return Optional.of(DurationStyle.detectAndParse(text));
			}
			catch (IllegalArgumentException ex) {
				return Optional.empty();
			}
		}

	}

	/** Reads {@code query}: a value, or a list of values, for each parameter. */
	static final class QueryReader {

		private QueryReader() {
		}

		static Map<String, List<Template>> read(Entry entry, TemplateReader reader, TemplateReader.Names names) {
			Map<String, List<Template>> query = new LinkedHashMap<>();
			entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
				List<Entry> values = value.isList() ? value.items().orElseThrow() : List.of(value);
				query.put(name, values.stream().flatMap((one) -> reader.read(one, names).stream()).toList());
			}));
			return query;
		}

	}

	/** Keeps the names of a scenario's requests apart. */
	static final class RequestNames {

		private final Set<String> written;

		private final Set<String> taken = new HashSet<>();

		RequestNames(Set<String> written) {
			this.written = Set.copyOf(written);
		}

		/** A name from the file; the second of its kind is a problem. */
		String written(Entry at, String name) {
			if (!this.taken.add(name)) {
				at.problem("duplicate request name '%s'".formatted(name),
						"give each request of a scenario its own name");
			}
			return name;
		}

		/** The first free one of {@code name}, {@code name (2)}, {@code name (3)}. */
		String derived(String name) {
			String free = name;
			for (int i = 2; this.written.contains(free) || !this.taken.add(free); i++) {
				free = "%s (%d)".formatted(name, i);
			}
			return free;
		}

	}

}
