package dev.warmup.catalog;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.NullNode;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectationTests {

	private static final Duration QUICK = Duration.ofMillis(1);

	@ParameterizedTest
	@CsvSource({ "200, 2xx, true", "299, 2xx, true", "300, 2xx, false", "404, 2xx;404, true", "403, 2xx;404, false",
			"200, 201, false" })
	void statusMatchesExactlyOrByItsClass(int status, String accepted, boolean matches) {
		Expectation.StatusExpectation expectation = new Expectation.StatusExpectation(List.of(accepted.split(";")));
		assertThat(expectation.matches(status)).isEqualTo(matches);
	}

	@Test
	void wrongStatusIsSaidFirst() {
		Expectation expectation = new Expectation(Expectation.StatusExpectation.SUCCESSFUL, Optional.of(QUICK),
				Map.of("$.name", "y"));
		assertThat(expectation.mismatch(500, Duration.ofSeconds(1), "")).contains("500 (expected 2xx)");
	}

	@Test
	void severalStatusesAreJoined() {
		Expectation expectation = new Expectation(new Expectation.StatusExpectation(List.of("200", "404")),
				Optional.empty(), Map.of());
		assertThat(expectation.mismatch(503, QUICK, "")).contains("503 (expected 200 or 404)");
		assertThat(expectation.mismatch(404, QUICK, "not json")).isEmpty();
	}

	@Test
	void latencyMayBeReachedButNotPassed() {
		Expectation expectation = new Expectation(Expectation.StatusExpectation.SUCCESSFUL,
				Optional.of(Duration.ofMillis(200)), Map.of());
		assertThat(expectation.mismatch(200, Duration.ofMillis(200), "")).isEmpty();
		assertThat(expectation.mismatch(200, Duration.ofMillis(350), ""))
			.contains("took 350 ms (expected at most 200 ms)");
	}

	@Test
	void valuesOfTheBodyAreCompared() {
		assertThat(json("$.name", "y").mismatch(200, QUICK, "{\"name\":\"x\"}"))
			.contains("$.name is \"x\" (expected \"y\")");
		assertThat(json("$.name", "y").mismatch(200, QUICK, "{\"name\":\"y\"}")).isEmpty();
		assertThat(json("$.name", "y").mismatch(200, QUICK, "{}")).contains("$.name is missing (expected \"y\")");
		assertThat(json("$.name", "y").mismatch(200, QUICK, "<html>")).contains("answer is not JSON (expected $.name)");
	}

	@Test
	void numbersAreEqualByValueAndNotToText() {
		assertThat(json("$.price", 1).mismatch(200, QUICK, "{\"price\":1.0}")).isEmpty();
		assertThat(json("$.price", 0.1).mismatch(200, QUICK, "{\"price\":0.10}")).isEmpty();
		assertThat(json("$.price", 1).mismatch(200, QUICK, "{\"price\":\"1\"}"))
			.contains("$.price is \"1\" (expected 1)");
	}

	@Test
	void expectedNullIsNotTheSameAsMissing() {
		Expectation expectation = json("$.deleted", NullNode.getInstance());
		assertThat(expectation.mismatch(200, QUICK, "{\"deleted\":null}")).isEmpty();
		assertThat(expectation.mismatch(200, QUICK, "{}")).contains("$.deleted is missing (expected null)");
		assertThat(expectation.mismatch(200, QUICK, "{\"deleted\":1}")).contains("$.deleted is 1 (expected null)");
	}

	@Test
	void objectsAreEqualWhateverTheOrderOfTheirKeys() {
		Map<String, Object> expected = new LinkedHashMap<>();
		expected.put("b", List.of(1, 2));
		expected.put("a", 1);
		assertThat(json("$.room", expected).mismatch(200, QUICK, "{\"room\":{\"a\":1.0,\"b\":[1,2]}}")).isEmpty();
		assertThat(json("$.room", expected).mismatch(200, QUICK, "{\"room\":{\"a\":1,\"b\":[2,1]}}")).isPresent();
	}

	@Test
	void functionOfAPathIsCompared() {
		assertThat(json("$.length()", 2).mismatch(200, QUICK, "[1,2]")).isEmpty();
		assertThat(json("$.length()", 3).mismatch(200, QUICK, "[1,2]")).contains("$.length() is 2 (expected 3)");
	}

	@Test
	void longValueIsShortened() {
		assertThat(json("$.text", "y").mismatch(200, QUICK, "{\"text\":\"" + "x".repeat(5000) + "\"}").orElseThrow())
			.hasSizeLessThan(150)
			.contains("xxx…");
	}

	private static Expectation json(String path, Object value) {
		return new Expectation(Expectation.StatusExpectation.SUCCESSFUL, Optional.empty(), Map.of(path, value));
	}

}
