package dev.warmup.catalog;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.convert.DurationStyle;
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

	/** A token of RFC 9110. */
	private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

	/** Hop-by-hop headers, and those that the replay itself sets. */
	private static final Set<String> RESERVED_HEADERS = Set.of("cache-control", "connection", "content-length",
			"keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
			"transfer-encoding", "upgrade", "x-warmup");

	private static final Pattern STATUS = Pattern.compile("[2-5](xx|[0-9]{2})");

	private static final String STATUS_FIX = "write 200, 2xx, or a list such as [200, 404]";

	private static final String PATH_FIX = "write a JSONPath that begins with $, such as $.id";

	private static final Pattern DURATION = Pattern.compile("[1-9][0-9]{0,5}ms|[1-9][0-9]{0,2}s|[1-9]m|10m");

	private final CatalogFiles files;

	private final Set<String> variables;

	private final Defaults defaults;

	private final boolean unsafe;

	private final TemplateReader templates;

	private final Set<String> takenNames = new HashSet<>();

	/** Begins a scenario that sends these requests, its cleanup included. */
	RequestReader(Function<String, @Nullable String> environment, CatalogFiles files, Set<String> variables,
			Defaults defaults, boolean unsafe, List<Entry> requests) {
		this.files = files;
		this.variables = variables;
		this.defaults = defaults;
		this.unsafe = unsafe;
		this.templates = new TemplateReader(environment, variables,
				requests.stream().flatMap((request) -> captured(request).stream()).collect(Collectors.toSet()));
	}

	/** The requests as far as they can be read; call in the order of sending. */
	List<RequestTemplate> read(List<Entry> entries) {
		List<RequestTemplate> requests = new ArrayList<>();
		for (Entry entry : entries) {
			Entry request = entry.named();
			read(request).ifPresent(requests::add);
			this.templates.nowUsable(captured(request));
		}
		return requests;
	}

	private static Set<String> captured(Entry request) {
		return request.find("capture").map(Entry::keys).orElse(Set.of());
	}

	/** Empty if it has no method and path. */
	private Optional<RequestTemplate> read(Entry request) {
		if (request.is(Tag.STR)) {
			String[] words = request.text().orElse("").split(" +", 2);
			if (words.length == 2) {
				return Optional.of(read(request, request, words[0], request, words[1]));
			}
			request.problem("'%s' is not METHOD /path".formatted(words[0]),
					"write both, such as GET /chat-service/rooms");
			return Optional.empty();
		}
		if (!request.is(Tag.MAP)) {
			request.wrongType("a request", "write METHOD /path, or a mapping with a path");
			return Optional.empty();
		}
		request.allow(KEYS);
		Optional<Entry> methodAt = request.find("method");
		String method = methodAt.flatMap(Entry::text).orElse("GET");
		return request.require("path", "add the path, such as /chat-service/users")
			.flatMap((pathAt) -> pathAt.text()
				.map((path) -> read(request, methodAt.orElse(request), method, pathAt, path)));
	}

	private RequestTemplate read(Entry request, Entry methodAt, String method, Entry pathAt, String path) {
		Map<String, Entry> headers = headers(request);
		this.defaults.headers().forEach(headers::putIfAbsent);
		String name = request.find("name")
			.flatMap((at) -> at.name(this.takenNames))
			.orElseGet(() -> derivedName(method + " " + path));
		return new RequestTemplate(name, method(methodAt, method), path(pathAt, path), query(request),
				templates(headers), body(request), this.defaults.expect(request), captures(request),
				this.defaults.timeout(request), request.node().getStartMark().getLine() + 1);
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
		if (!path.startsWith("/") || path.startsWith("//")) {
			at.problem("the path '%s' does not begin with one /".formatted(path),
					"write a path below the gateway, such as /chat-service/rooms, without scheme and host");
		}
		else if (!Entry.isLine(path) || path.contains("#")) {
			at.problem("the path '%s' has a line break or a fragment".formatted(path),
					"write it on one line without | or >, and %23 for #");
		}
		return this.templates.parse(at, path);
	}

	/** The first free one of {@code name}, {@code name (2)}, {@code name (3)}. */
	private String derivedName(String name) {
		String free = name;
		for (int i = 2; !this.takenNames.add(free); i++) {
			free = "%s (%d)".formatted(name, i);
		}
		return free;
	}

	/** A value, or a list of values, for each parameter. */
	private Map<String, List<Template>> query(Entry request) {
		Map<String, List<Template>> query = new LinkedHashMap<>();
		request.fields("query").forEach((name, value) -> {
			List<Entry> values = value.is(Tag.SEQ) ? value.items() : List.of(value);
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
		if (present.size() > 1) {
			request.problem("the request has several bodies: " + String.join(", ", present), "keep one of them");
		}
		return request.find("body")
			.flatMap((at) -> at.text().map((text) -> Body.text(this.templates.parse(at, text), Optional.empty())))
			.or(() -> request.find("json").map(this::jsonBody))
			.or(() -> request.find("bodyFile").flatMap((at) -> at.text().flatMap((path) -> bodyFile(at, path))));
	}

	private Body jsonBody(Entry json) {
		Set<String> names = new HashSet<>();
		Template.Part tree = json.tree((at, text) -> {
			Template template = this.templates.parse(at, text);
			names.addAll(template.names());
			return template::value;
		});
		return Body.json(tree, names);
	}

	private Optional<Body> bodyFile(Entry at, String path) {
		try {
			byte[] bytes = this.files.readBeside(path);
			Optional<MediaType> type = MediaTypeFactory.getMediaType(path);
			return Optional.of(CatalogFiles.text(bytes)
				.map((text) -> Body.text(this.templates.parse(at, text), type))
				.orElseGet(() -> Body.binary(bytes, type)));
		}
		catch (IOException | IllegalArgumentException ex) { // of its name
			at.problem("the file '%s' cannot be read: %s".formatted(path, ex.getMessage()),
					"name a file of at most 1 MiB by its path from the catalog's folder");
			return Optional.empty();
		}
	}

	/** Names for values of the answer. */
	private Map<String, Extractor> captures(Entry request) {
		Map<String, Extractor> captures = new LinkedHashMap<>();
		request.fields("capture").forEach((name, value) -> {
			TemplateReader.checkName(name, value);
			if (this.variables.contains(name)) {
				value.keyProblem("the capture '%s' has the name of a variable".formatted(name), "rename one of them");
			}
			captures.put(name, value.is(Tag.MAP) ? extractor(value) : new Extractor(
					value.text().flatMap((path) -> jsonPath(path, value::problem)), "", Optional.empty()));
		});
		return captures;
	}

	private static Extractor extractor(Entry capture) {
		capture.allow(Set.of("header", "json", "regex"));
		Optional<Entry> header = capture.find("header");
		Optional<Entry> json = capture.find("json");
		if (header.isPresent() == json.isPresent()) {
			capture.problem("a capture has either 'header' or 'json'", "write one of them, such as header: Location");
		}
		Optional<JsonNode> name = header.flatMap((at) -> at.scalar("the name of a header", "use letters, digits and -",
				(value) -> HEADER.matcher(value.asString()).matches()));
		Optional<JsonNode> regex = capture.find("regex")
			.flatMap((at) -> at.scalar("a regular expression with a group",
					"put what to capture in parentheses, such as '/orders/([^/]+)'", RequestReader::hasGroup));
		return new Extractor(json.flatMap((at) -> at.text().flatMap((path) -> jsonPath(path, at::problem))),
				name.map(JsonNode::asString).orElse(""), regex.map((value) -> Pattern.compile(value.asString())));
	}

	private static boolean hasGroup(JsonNode regex) {
		try {
			return regex.isString() && Pattern.compile(regex.asString()).matcher("").groupCount() > 0;
		}
		catch (PatternSyntaxException ex) {
			return false;
		}
	}

	private static Optional<JsonPath> jsonPath(String path, BiConsumer<String, String> problem) {
		if (!path.startsWith("$") || path.contains("{{")) {
			problem.accept("'%s' is not a JSONPath without placeholders".formatted(path), PATH_FIX);
			return Optional.empty();
		}
		try {
			return Optional.of(JsonPath.compile(path));
		}
		catch (InvalidPathException ex) {
			problem.accept("'%s' is not a JSONPath: %s".formatted(path, ex.getMessage()), PATH_FIX);
			return Optional.empty();
		}
	}

	/** Reads {@code expect}; what it leaves open is as in the defaults. */
	private static Expectation expectation(Entry entry, Expectation defaults) {
		entry.allow(Set.of("status", "json"));
		List<String> statuses = entry.find("status").map(RequestReader::statuses).orElse(defaults.statuses());
		Map<String, JsonNode> json = new LinkedHashMap<>(defaults.json());
		entry.fields("json").forEach((path, value) -> {
			jsonPath(path, value::keyProblem);
			json.put(path, Json.tree(value.tree(RequestReader::expected).value(Template.Scope.EMPTY)));
		});
		return new Expectation(statuses, json);
	}

	private static Template.Part expected(Entry at, String text) {
		if (text.contains("{{")) {
			at.problem("'%s' would be compared as it is: expect has no placeholders".formatted(text),
					"expect a value that is always the same, or only the status");
		}
		return new Template.Literal(text);
	}

	private static List<String> statuses(Entry entry) {
		List<Entry> entries = entry.is(Tag.SEQ) ? entry.someItems(STATUS_FIX) : List.of(entry);
		return entries.stream()
			.flatMap((each) -> each
				.scalar("a status from 200 to 599 or a class from 2xx to 5xx", STATUS_FIX,
						(value) -> STATUS.matcher(value.asString()).matches())
				.stream())
			.map(JsonNode::asString)
			.toList();
	}

	private static Optional<Duration> duration(Entry entry) {
		return entry
			.scalar("a duration", "write a number and its unit, such as 500ms or 2s, up to 10m",
					(value) -> DURATION.matcher(value.asString()).matches())
			.map((value) -> DurationStyle.SIMPLE.parse(value.asString()));
	}

	/** What the catalog adds to each request that does not override it. */
	record Defaults(Map<String, Entry> headers, Duration timeout, Expectation expect) {

		/** Without defaults. The first answer of a cold service is slow, no failure. */
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
