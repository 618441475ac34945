package dev.warmup.catalog;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.spi.json.JsonSmartJsonProvider;
import com.jayway.jsonpath.spi.mapper.JsonSmartMappingProvider;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the catalog uses it, independent of how the application configured its own. */
final class Json {

	/** A double would make an infinity of 1e999. */
	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private static final Configuration PATHS = Configuration.builder()
		.jsonProvider(new JsonSmartJsonProvider())
		.mappingProvider(new JsonSmartMappingProvider())
		.build();

	private Json() {
	}

	/** The document in maps and lists, or empty when the text is not JSON or null. */
	static Optional<Object> parse(String text) {
		try {
			return Optional.ofNullable(MAPPER.readValue(text, Object.class));
		}
		catch (JacksonException ex) {
			return Optional.empty();
		}
	}

	/**
	 * What a path finds: {@code null} in the document is a found {@code null} node; of
	 * several matches the first. A path that cannot be applied to the document finds
	 * nothing, such as a function of an empty array; how it fails varies.
	 */
	static Optional<JsonNode> find(Object document, JsonPath path) {
		try {
			Object found = path.read(document, PATHS);
			if (!path.isDefinite() && found instanceof List<?> matches) {
				return matches.isEmpty() ? Optional.empty() : Optional.of(tree(matches.get(0)));
			}
			return Optional.of(tree(found));
		}
		catch (RuntimeException | StackOverflowError ex) { // as in a regex
			return Optional.empty();
		}
	}

	static JsonNode tree(Object value) {
		return MAPPER.valueToTree(value);
	}

	/** A string, number, boolean, map or list. */
	static Object value(JsonNode tree) {
		return MAPPER.convertValue(tree, Object.class);
	}

	/** A string as it is, anything else as JSON. */
	static String text(Object value) {
		return (value instanceof String text) ? text : MAPPER.writeValueAsString(value);
	}

	/**
	 * Equal as JSON: 1 equals 1.0, and the order of keys does not count. What a function
	 * of a path computes may be infinite.
	 */
	static boolean same(JsonNode left, JsonNode right) {
		return left.equals((one, other) -> {
			Optional<BigDecimal> first = one.decimalValueOpt();
			Optional<BigDecimal> second = other.decimalValueOpt();
			if (first.isPresent() && second.isPresent()) {
				return first.get().compareTo(second.get());
			}
			return one.equals(other) ? 0 : 1;
		}, right);
	}

}
