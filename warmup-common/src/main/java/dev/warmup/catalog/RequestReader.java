package dev.warmup.catalog;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.util.LinkedCaseInsensitiveMap;

/** Reads the requests of one scenario, in their short form or as mappings. */
final class RequestReader {

	private static final Set<String> KEYS = Set.of("name", "method", "path", "query", "headers", "body", "json",
			"bodyFile", "expect", "capture", "timeout");

	private static final Set<String> BODY_KEYS = Set.of("body", "json", "bodyFile");

	private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS");

	private static final List<String> UNSAFE = List.of("POST", "PUT", "PATCH", "DELETE");

	private static final Pattern ABSOLUTE = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*:)?//.*");

	/** A token of RFC 9110. */
	private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

	/** Hop-by-hop headers, and those that the replay itself sets. */
	private static final Set<String> RESERVED_HEADERS = Set.of("cache-control", "connection", "content-length",
			"keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
			"transfer-encoding", "upgrade", "x-warmup");

	private static final Pattern STATUS = Pattern.compile("[2-5](xx|[0-9]{2})");

	private static final String STATUS_FIX = "write 200, 2xx, or a list such as [200, 404]";

	private static final String PATH_FIX = "write a JSONPath that begins with $, such as $.id";

	private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

	private static final Duration LONGEST = Duration.ofMinutes(10);

	/** As Spring Boot writes durations; a bare number is refused for want of a unit. */
	private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}(ns|us|ms|s|m|h|d)|P[0-9DTHMS.]+");

	private static final String DURATION_FIX = "write a number and its unit, such as 500ms or 2s, up to 10m";

	private final CatalogFiles files;

	private final Set<String> variables;

	private final Defaults defaults;

	private final boolean unsafe;

	private final TemplateReader templates;

	/** The names that requests give themselves. */
	private final Set<String> writtenNames;

	private final Set<String> takenNames = new HashSet<>();

	/** How many requests have a name derived from this one. */
	private final Map<String, Integer> repetitions = new HashMap<>();

	/** Begins a scenario that sends these requests, its cleanup included. */
	RequestReader(TemplateReader.Surroundings surroundings, CatalogFiles files, Set<String> variables,
			Defaults defaults, boolean unsafe, List<Entry> requests) {
		this.files = files;
		this.variables = variables;
		this.defaults = defaults;
		this.unsafe = unsafe;
		this.templates = TemplateReader.ofScenario(surroundings, variables,
				requests.stream().flatMap((request) -> captured(request).stream()).collect(Collectors.toSet()));
		this.writtenNames = requests.stream().flatMap((request) -> request.name().stream()).collect(Collectors.toSet());
	}

	/** The requests as far as they can be read; call in the order of sending. */
	List<RequestTemplate> read(List<Entry> entries) {
		List<RequestTemplate> requests = new ArrayList<>();
		for (Entry entry : entries) {
			Entry request = entry.named(entry.label());
			line(request).map((line) -> read(request, line)).ifPresent(requests::add);
			this.templates.nowUsable(captured(request));
		}
		return requests;
	}

	private static Set<String> captured(Entry request) {
		return request.find("capture").map(Entry::keys).orElse(Set.of());
	}

	/** Method and path; empty if one of them cannot be read. */
	private static Optional<Line> line(Entry request) {
		if (request.isString()) {
			return request.text().flatMap((text) -> shortForm(request, text));
		}
		if (!request.isMapping()) {
			request.wrongType("a request", "write METHOD /path, or a mapping with a path");
			return Optional.empty();
		}
		request.allow(KEYS);
		Optional<Entry> methodAt = request.find("method");
		Optional<String> method = methodAt.isEmpty() ? Optional.of("GET") : methodAt.flatMap(Entry::text);
		Optional<Entry> pathAt = request.require("path", "add the path, such as /chat-service/users");
		Optional<String> path = pathAt.flatMap(Entry::text);
		return (method.isEmpty() || path.isEmpty()) ? Optional.empty()
				: Optional.of(new Line(method.get(), path.get(), methodAt.orElse(request), pathAt.orElse(request)));
	}

	private static Optional<Line> shortForm(Entry request, String text) {
		int space = text.indexOf(' ');
		if (space < 0) {
			request.problem("'%s' is not METHOD /path".formatted(text),
					"write both" + (text.startsWith("/") ? ", such as GET " + text : ""));
			return Optional.empty();
		}
		return Optional.of(new Line(text.substring(0, space), text.substring(space).stripLeading(), request, request));
	}

	private RequestTemplate read(Entry request, Line line) {
		HttpMethod method = method(line.methodAt(), line.method());
		Template path = path(line.pathAt(), line.path());
		Map<String, Entry> headers = headers(request);
		this.defaults.headers().forEach(headers::putIfAbsent);
		Expectation expect = this.defaults.expect(request);
		Map<String, JsonPath> captures = captures(request);
		if (!captures.isEmpty() || !expect.json().isEmpty()) {
			refuseCompression(headers);
		}
		String name = request.find("name")
			.flatMap((at) -> at.line().map((written) -> writtenName(at, written)))
			.orElseGet(() -> derivedName(line.method() + " " + line.path()));
		return new RequestTemplate(name, method, path, query(request), templates(headers), body(request), expect,
				captures, this.defaults.timeout(request));
	}

	/** A run does not decompress answers. */
	private void refuseCompression(Map<String, Entry> headers) {
		Optional.ofNullable(headers.get(HttpHeaders.ACCEPT_ENCODING))
			.filter((at) -> !this.templates.read(at).source().equals("identity"))
			.ifPresent((at) -> at.keyProblem(
					"the answer may then be compressed, and capture and expect.json cannot read it",
					"remove the header, or set it to identity for this request"));
	}

	private HttpMethod method(Entry at, String method) {
		if (!SAFE.contains(method) && !UNSAFE.contains(method)) {
			at.problem("unknown method '%s'".formatted(method),
					"use one of %s, %s".formatted(String.join(", ", SAFE), String.join(", ", UNSAFE)));
		}
		else if (UNSAFE.contains(method) && !this.unsafe) {
			at.problem("%s may change data, and the scenario is not marked unsafe".formatted(method),
					"add 'unsafe: true' to the scenario, or use one of " + String.join(", ", SAFE));
		}
		return HttpMethod.valueOf(method);
	}

	/** The path; one that leads elsewhere than below the gateway is a problem. */
	private Template path(Entry at, String path) {
		if (ABSOLUTE.matcher(path).matches()) {
			at.problem("'%s' is an absolute URL".formatted(path),
					"write the path only; every request goes through the gateway");
		}
		else if (!path.startsWith("/")) {
			at.problem("the path '%s' does not begin with /".formatted(path), "write /" + path);
		}
		else if (!Entry.isLine(path)) {
			at.problem("the path is not on one line", "write it on one line, without | or >");
		}
		if (path.contains("#")) {
			at.problem("the path '%s' has a fragment, which is never sent".formatted(path),
					"remove it, or write %23 for #");
		}
		return this.templates.parse(at, path);
	}

	private String writtenName(Entry at, String name) {
		if (!this.takenNames.add(name)) {
			at.problem("duplicate request name '%s'".formatted(name), "give each request of a scenario its own name");
		}
		return name;
	}

	/** The first free one of {@code name}, {@code name (2)}, {@code name (3)}. */
	private String derivedName(String name) {
		String free = name;
		while (this.writtenNames.contains(free) || !this.takenNames.add(free)) {
			free = "%s (%d)".formatted(name, 1 + this.repetitions.merge(name, 1, Integer::sum));
		}
		return free;
	}

	/** A value, or a list of values, for each parameter. */
	private Map<String, List<Template>> query(Entry request) {
		Map<String, List<Template>> query = new LinkedHashMap<>();
		request.fields("query").forEach((name, value) -> {
			List<Entry> values = value.isList() ? value.items() : List.of(value);
			query.put(name, values.stream().map(this.templates::read).toList());
		});
		return query;
	}

	/** Where the file has each header's value, by name without regard to case. */
	private static Map<String, Entry> headers(Entry owner) {
		Map<String, Entry> headers = new LinkedCaseInsensitiveMap<>();
		owner.fields("headers").forEach((name, value) -> {
			if (RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
				value.keyProblem("the header '%s' is set by the replay or by the connection".formatted(name),
						"remove it");
			}
			else if (!HEADER.matcher(name).matches()) {
				value.keyProblem("'%s' cannot be the name of a header".formatted(name), "use letters, digits and -");
			}
			if (headers.put(name, value) != null) {
				value.keyProblem("the header '%s' occurs twice".formatted(name), "keep one of them");
			}
		});
		return headers;
	}

	/** The values, each of which must be fit for a header. */
	private Map<String, Template> templates(Map<String, Entry> headers) {
		Map<String, Template> templates = new LinkedHashMap<>();
		headers.forEach((name, at) -> {
			Template template = this.templates.read(at);
			if (!template.isHeader()) {
				at.problem("the value of a header contains a line break, a control character, or one beyond U+00FF",
						"write it on one line, and encode what is not Latin");
			}
			templates.put(name, template);
		});
		return templates;
	}

	/** One of {@code body}, {@code json} and {@code bodyFile}. */
	private Optional<Body> body(Entry request) {
		List<String> present = request.keys().stream().filter(BODY_KEYS::contains).toList();
		present.stream()
			.skip(1)
			.flatMap((key) -> request.find(key).stream())
			.forEach((value) -> value.keyProblem("the request already has a body, '%s'".formatted(present.get(0)),
					"keep one of them"));
		return request.find("body")
			.flatMap((at) -> at.text().map((text) -> Body.text(this.templates.parse(at, text), Optional.empty())))
			.or(() -> request.find("json")
				.map((json) -> Body.json(json.json((at, text) -> JSON.pojoNode(this.templates.parse(at, text))))))
			.or(() -> request.find("bodyFile").flatMap((at) -> at.text().flatMap((path) -> bodyFile(at, path))));
	}

	private Optional<Body> bodyFile(Entry at, String path) {
		try {
			Optional<byte[]> bytes = this.files.readBeside(path);
			if (bytes.isEmpty()) {
				at.problem("the file '%s' is over 1 MiB".formatted(path), "use a smaller file");
			}
			Optional<MediaType> type = MediaTypeFactory.getMediaType(path);
			return bytes.map((content) -> CatalogFiles.text(content)
				.map((text) -> Body.text(this.templates.parse(at, text), type))
				.orElseGet(() -> Body.binary(content, type)));
		}
		catch (IOException | IllegalArgumentException ex) { // of its name
			at.problem("the file '%s' cannot be read".formatted(path),
					"name a file by its path from the catalog's folder");
			return Optional.empty();
		}
	}

	/** Names for values of the answer. */
	private Map<String, JsonPath> captures(Entry request) {
		Map<String, JsonPath> captures = new LinkedHashMap<>();
		request.fields("capture").forEach((name, value) -> {
			TemplateReader.checkName(name, value);
			if (this.variables.contains(name)) {
				value.keyProblem("the capture '%s' has the name of a variable".formatted(name), "rename one of them");
			}
			value.text()
				.flatMap((path) -> path.contains("{{") ? placeholder(path, value) : jsonPath(path, value::problem))
				.ifPresent((path) -> captures.put(name, path));
		});
		return captures;
	}

	private static Optional<JsonPath> placeholder(String path, Entry at) {
		at.problem("'%s' would be used as it is: a JSONPath has no placeholders".formatted(path),
				"select by what is always the same, such as a position");
		return Optional.empty();
	}

	private static Optional<JsonPath> jsonPath(String path, BiConsumer<String, String> problem) {
		if (!path.startsWith("$")) {
			problem.accept("'%s' is not a JSONPath".formatted(path), PATH_FIX);
			return Optional.empty();
		}
		try {
			return Optional.of(JsonPath.compile(path));
		}
		catch (InvalidPathException ex) {
			// one with a cause stems from an error in the parser, which helps no operator
			String why = (ex.getCause() == null) ? ": " + ex.getMessage() : "";
			problem.accept("'%s' is not a JSONPath%s".formatted(path, why), PATH_FIX);
			return Optional.empty();
		}
	}

	/** Reads {@code expect}; what it leaves open is as in the defaults. */
	private static Expectation expectation(Entry entry, Expectation defaults) {
		entry.allow(Set.of("status", "maxLatency", "json"));
		List<String> statuses = entry.find("status").map(RequestReader::statuses).orElse(defaults.statuses());
		Optional<Duration> maxLatency = entry.find("maxLatency").flatMap(RequestReader::duration);
		Map<String, JsonNode> json = new LinkedHashMap<>(defaults.json());
		entry.fields("json").forEach((path, value) -> {
			jsonPath(path, value::keyProblem);
			json.put(path, value.json(RequestReader::expected));
		});
		return new Expectation(statuses, maxLatency.or(defaults::maxLatency), json);
	}

	private static JsonNode expected(Entry at, String text) {
		if (text.contains("{{")) {
			at.problem("'%s' would be compared as it is: expect has no placeholders".formatted(text),
					"expect a value that is always the same, or only the status");
		}
		return JSON.stringNode(text);
	}

	private static List<String> statuses(Entry entry) {
		List<Entry> entries = entry.isList() ? entry.items() : List.of(entry);
		if (entries.isEmpty()) {
			entry.problem("the list of statuses is empty", STATUS_FIX);
		}
		return entries.stream().flatMap((each) -> status(each).stream()).toList();
	}

	/** An exact status is a number, a class of statuses a string. */
	private static Optional<String> status(Entry entry) {
		Optional<JsonNode> value = entry.scalar();
		Optional<String> status = value.filter((known) -> known.isIntegralNumber() || known.asString().endsWith("xx"))
			.map(JsonNode::asString)
			.filter((text) -> STATUS.matcher(text).matches());
		if (value.isPresent() && status.isEmpty()) {
			entry.wrongType("a status from 200 to 599 or a class from 2xx to 5xx", STATUS_FIX);
		}
		return status;
	}

	/** A positive duration of at most ten minutes. */
	private static Optional<Duration> duration(Entry entry) {
		Optional<String> text = entry.text(DURATION_FIX);
		Optional<Duration> duration = text.flatMap(RequestReader::parseDuration)
			.filter((known) -> known.compareTo(Duration.ZERO) > 0 && known.compareTo(LONGEST) <= 0);
		if (text.isPresent() && duration.isEmpty()) {
			entry.problem("'%s' is not a positive duration of at most 10 minutes".formatted(text.get()), DURATION_FIX);
		}
		return duration;
	}

	private static Optional<Duration> parseDuration(String text) {
		try {
			return DURATION.matcher(text).matches() ? Optional.of(DurationStyle.detectAndParse(text))
					: Optional.empty();
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** Method and path of a request, as written and where they stand. */
	private record Line(String method, String path, Entry methodAt, Entry pathAt) {
	}

	/** What the catalog adds to each request that does not override it. */
	record Defaults(Map<String, Entry> headers, Duration timeout, Expectation expect) {

		/**
		 * What holds where the file has no defaults. Ten seconds, since the first answer
		 * of a cold service is slow, and that is no failure.
		 */
		static final Defaults NONE = new Defaults(Map.of(), Duration.ofSeconds(10), Expectation.SUCCESS);

		/** Reads the file's {@code defaults}. */
		static Defaults read(Entry entry) {
			entry.allow(Set.of("headers", "timeout", "expect"));
			return new Defaults(RequestReader.headers(entry), NONE.timeout(entry), NONE.expect(entry));
		}

		private Duration timeout(Entry owner) {
			return owner.find("timeout").flatMap(RequestReader::duration).orElse(this.timeout);
		}

		private Expectation expect(Entry owner) {
			return owner.find("expect").map((entry) -> expectation(entry, this.expect)).orElse(this.expect);
		}

	}

}
