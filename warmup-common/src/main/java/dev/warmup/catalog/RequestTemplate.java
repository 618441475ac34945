package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.web.util.UriUtils;

/**
 * One request of a scenario, complete with what the catalog's defaults add to it.
 *
 * @param path begins with {@code /}, relative to the gateway; may hold a query
 * @param query parameters that are added to the path's own, in file order
 * @param headers by name, whose case does not count, in file order
 * @param captures where in the answer to find values for later requests, by name
 * @param timeout the longest wait for the answer; positive
 * @param line where it begins in the catalog, counted from 1
 */
public record RequestTemplate(String name, HttpMethod method, Template path, Map<String, List<Template>> query,
		Map<String, Template> headers, Optional<Body> body, Expectation expect, Map<String, Extractor> captures,
		Duration timeout, int line) {

	/** What a path or query may not hold as it is; an escape is left as written. */
	private static final Pattern ILLEGAL_IN_URI = Pattern
		.compile("%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+");

	public RequestTemplate {
		query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
		Map<String, Template> byName = new LinkedCaseInsensitiveMap<>();
		byName.putAll(headers);
		headers = Collections.unmodifiableMap(byName);
		captures = Collections.unmodifiableMap(new LinkedHashMap<>(captures));
	}

	/** Whether no variable or capture that it needs is missing. */
	public boolean renderable(Template.Scope scope) {
		Stream<Template> values = Stream.concat(this.query.values().stream().flatMap(List::stream),
				this.headers.values().stream());
		return scope.holds(this.path.names()) && values.map(Template::names).allMatch(scope::holds)
				&& scope.holds(this.body.map(Body::names).orElse(Set.of()));
	}

	/**
	 * Writes the request's path and query with every placeholder filled, to be appended
	 * to the gateway's address. Values are percent-encoded, so that none can change its
	 * structure; what the catalog has literally stays unless it is illegal in a URI.
	 * @throws IllegalStateException if the scope lacks a value
	 */
	public String uri(Template.Scope scope) {
		String target = this.path.render(scope, RequestTemplate::literal, RequestTemplate::value);
		String pairs = this.query.entrySet()
			.stream()
			.flatMap((entry) -> entry.getValue()
				.stream()
				.map((value) -> value(entry.getKey()) + "=" + value(value.render(scope))))
			.collect(Collectors.joining("&"));
		String separator = pairs.isEmpty() ? "" : target.contains("?") ? "&" : "?";
		return target + separator + pairs;
	}

	/** The type of the content, unless there is none, or a header states it. */
	public Optional<MediaType> contentType() {
		return this.headers.containsKey(HttpHeaders.CONTENT_TYPE) ? Optional.empty()
				: this.body.flatMap(Body::contentType);
	}

	/**
	 * Writes the content with every placeholder filled; text is in UTF-8.
	 * @throws IllegalStateException if the scope lacks a value
	 */
	public Optional<byte[]> content(Template.Scope scope) {
		return this.body.map((template) -> template.content().apply(scope));
	}

	/**
	 * Finds this request's captures in its answer, whose body is read only if something
	 * is captured from it.
	 */
	public Capture capture(HttpHeaders headers, String body) {
		Map<String, Object> values = new LinkedHashMap<>();
		boolean json = this.captures.values().stream().anyMatch((capture) -> capture.path().isPresent());
		Optional<Object> document = json ? Json.parse(body) : Optional.empty();
		for (Map.Entry<String, Extractor> capture : this.captures.entrySet()) {
			String name = capture.getKey();
			if (capture.getValue().path().isPresent() && document.isEmpty()) {
				return new Capture.Missing("capture %s: answer is not JSON".formatted(name));
			}
			Optional<Object> found = capture.getValue().find(headers, document);
			if (found.isEmpty()) {
				return new Capture.Missing("capture %s found nothing %s".formatted(name, capture.getValue()));
			}
			values.put(name, found.get());
		}
		return new Capture.Found(values);
	}

	private static String literal(String text) {
		return ILLEGAL_IN_URI.matcher(text).replaceAll((match) -> value(match.group()));
	}

	private static String value(String text) {
		return UriUtils.encode(text, StandardCharsets.UTF_8);
	}

	/** What a request's captures found in its answer. */
	public sealed interface Capture {

		/**
		 * Every capture found a value: a string, number, boolean, map or list, by name.
		 */
		record Found(Map<String, Object> values) implements Capture {

			public Found {
				values = Map.copyOf(values);
			}

		}

		/** A capture found nothing, or {@code null}; in short words for an operator. */
		record Missing(String problem) implements Capture {
		}

	}

}
