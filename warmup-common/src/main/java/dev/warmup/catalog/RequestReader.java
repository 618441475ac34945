package dev.warmup.catalog;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.springframework.http.HttpMethod;

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
			Fields none = new Fields(entry, Map.of(), Map.of());
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

	private static Optional<RequestLine> line(Fields fields, Entry entry) {
		Optional<Entry> method = fields.find("method");
		Optional<String> verb = method.map(Entry::text).orElse(Optional.of("GET"));
		return fields.require("path", "add the path, such as /chat-service/users")
			.flatMap((path) -> path.text()
				.flatMap((text) -> verb.map((known) -> new RequestLine(known, text, method.orElse(entry), path))));
	}

	private Optional<RequestTemplate> read(RequestLine line, Fields fields, Place place) {
		Names names = place.names();
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

	private static String name(RequestLine line, Fields fields, Place place) {
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
	record Place(Set<String> variables, Names names, RequestNames requestNames, boolean unsafe) {
	}

}
