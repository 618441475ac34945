package dev.warmup.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.jayway.jsonpath.JsonPath;
import tools.jackson.databind.JsonNode;

/**
 * What an answer must be to count.
 *
 * @param statuses the statuses that count, exact ones such as {@code 200} and classes
 * such as {@code 2xx}; never empty
 * @param json values to be found in the answer, by JSONPath, in file order; a JSON
 * {@code null} is a null node
 */
public record Expectation(List<String> statuses, Map<String, JsonNode> json) {

	/** What a request expects unless it states otherwise. */
	static final Expectation SUCCESS = new Expectation(List.of("2xx"), Map.of());

	private static final int LONGEST_VALUE = 80;

	public Expectation {
		statuses = List.copyOf(statuses);
		json = Collections.unmodifiableMap(new LinkedHashMap<>(json));
	}

	/**
	 * Compares an answer with this expectation: its status first, then its body. Numbers
	 * are equal by value; of several matches of a path the first counts.
	 * @param body the answer's text, read only if values are expected in it
	 * @return empty when the answer is as expected, otherwise the first problem in short
	 * words, such as {@code 500 (expected 2xx)}
	 */
	public Optional<String> mismatch(int status, String body) {
		if (!accepts(status)) {
			return Optional.of("%d (expected %s)".formatted(status, String.join(" or ", this.statuses)));
		}
		return this.json.isEmpty() ? Optional.empty() : mismatch(body);
	}

	/** Whether a status is as expected. */
	public boolean accepts(int status) {
		return this.statuses.contains(String.valueOf(status)) || this.statuses.contains(status / 100 + "xx");
	}

	private Optional<String> mismatch(String body) {
		Optional<Object> document = Json.parse(body);
		if (document.isEmpty()) {
			return Optional.of("answer is not JSON (expected %s)".formatted(this.json.keySet().iterator().next()));
		}
		return this.json.entrySet()
			.stream()
			.flatMap((entry) -> mismatch(document.get(), entry.getKey(), entry.getValue()).stream())
			.findFirst();
	}

	private static Optional<String> mismatch(Object document, String path, JsonNode expected) {
		Optional<JsonNode> found = Json.find(document, JsonPath.compile(path));
		if (found.filter((value) -> Json.same(value, expected)).isPresent()) {
			return Optional.empty();
		}
		return Optional.of("%s is %s (expected %s)".formatted(path, found.map(Expectation::shortened).orElse("missing"),
				shortened(expected)));
	}

	private static String shortened(JsonNode value) {
		String text = value.toString();
		return (text.length() <= LONGEST_VALUE) ? text : text.substring(0, LONGEST_VALUE) + "…";
	}

}
