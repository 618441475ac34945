package dev.warmup.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectationTests {

	@ParameterizedTest
	@CsvSource({ "200, 2xx, true", "299, 2xx, true", "300, 2xx, false", "404, 2xx;404, true", "403, 2xx;404, false",
			"200, 201, false" })
	void statusMatchesExactlyOrByItsClass(int status, String accepted, boolean matches) {
		Expectation expectation = new Expectation(List.of(accepted.split(";")), Map.of());
		assertThat(expectation.accepts(status)).isEqualTo(matches);
	}

	@Test
	void statusesThatAreNotAsExpectedAreNamed() {
		Expectation expectation = new Expectation(List.of("200", "404"), Map.of());
		assertThat(expectation.mismatch(404, "not json")).isEmpty();
		assertThat(expectation.mismatch(503, "")).contains("503 (expected 200 or 404)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					$.name     | "y"                  | {"name":"y"}                   |
					$.name     | "y"                  | {"name":"x"}                   | $.name is "x" (expected "y")
					$.name     | "y"                  | {}                             | $.name is missing (expected "y")
					$.name     | "y"                  | <html>                         | answer is not JSON (expected $.name)
					$.price    | 1                    | {"price":1.0}                  |
					$.price    | 0.1                  | {"price":0.10}                 |
					$.price    | 1                    | {"price":"1"}                  | $.price is "1" (expected 1)
					$.deleted  | null                 | {"deleted":null}               |
					$.deleted  | null                 | {}                             | $.deleted is missing (expected null)
					$.deleted  | null                 | {"deleted":1}                  | $.deleted is 1 (expected null)
					$.room     | {"b":[1,2],"a":1}    | {"room":{"a":1.0,"b":[1,2]}}   |
					$          | {"b":[1,2],"a":1}    | {"a":1,"b":[2,1]}              | $ is {"a":1,"b":[2,1]} (expected {"b":[1,2],"a":1})
					$.tags     | ["a","b"]            | {"tags":["a","b"]}             |
					$[*].id    | 2                    | [{"id":1},{"id":2}]            | $[*].id is 1 (expected 2)
					$.length() | 2                    | [1,2]                          |
					$.length() | 3                    | [1,2]                          | $.length() is 2 (expected 3)
					$.a.first() | 1                   | {"a":[]}                       | $.a.first() is missing (expected 1)
					$[?(@.a empty true)].id | 1       | [{"a":{"k":1}}]                | $[?(@.a empty true)].id is missing (expected 1)
					$.price    | 1                    | {"price":1e999}                | $.price is 1E+999 (expected 1)
					$.a[?(@ < 9)] | 1                 | {"a":[1e999,1]}                |
					$.a.sum()  | 1                    | {"a":[1e308,1e308]}            | $.a.sum() is "Infinity" (expected 1)
					""")
	void valuesOfTheBodyAreComparedAsJson(String path, String expected, String body, @Nullable String mismatch) {
		assertThat(json(path, JsonMapper.shared().readTree(expected)).mismatch(200, body))
			.isEqualTo(Optional.ofNullable(mismatch));
	}

	@Test
	void longValueIsShortened() {
		assertThat(json("$.text", StringNode.valueOf("y")).mismatch(200, "{\"text\":\"" + "x".repeat(5000) + "\"}")
			.orElseThrow()).hasSizeLessThan(150).contains("xxx…");
	}

	private static Expectation json(String path, JsonNode value) {
		return new Expectation(List.of("2xx"), Map.of(path, value));
	}

}
