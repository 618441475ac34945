package dev.warmup.e2e;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PromQlTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '\0', textBlock = """
			up;                                                        up
			up offset 5m;                                              up
			sum(up);                                                   up
			sum by (job) (up);                                         up
			sum(up) by (job);                                          up
			time() - process_start_time_seconds > bool 2 * budget + 60; process_start_time_seconds,budget
			a and on (job) b unless ignoring (x) group_left (y) c;     a,b,c
			max_over_time(a:b{c="d"}[15m:30s]);                        a:b
			a{b="sum(c) by {d} # e"};                                  a
			quantile(0.99, a) or vector(1e3) or inf;                   a""")
	void metricsAreToldFromTheRest(String expression, String metrics) {
		assertThat(PromQl.of(expression).selectors()).extracting(PromQl.Selector::metric)
			.containsExactly(metrics.split(","));
	}

	@Test
	void labelsAreThoseOfTheSelector() {
		PromQl query = PromQl.of("sum by (le, job) (rate(a{b=\"x\", c!~\"y|z\"}[5m])) # d{e=\"f\"}\n/ on (g) h{}");
		assertThat(query.selectors()).containsExactly(
				new PromQl.Selector("a", Set.of("b", "c"), "a{b=\"x\",c!~\"y|z\"}"),
				new PromQl.Selector("h", Set.of(), "h{}"));
		assertThat(query.groupings()).containsExactly("g", "job", "le");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{job=\"a\"}", "sum({__name__=~\"a.*\"})", "a{b=\"c\"", "rate(a[5m)" })
	void whatItCannotReadIsRefused(String expression) {
		assertThatIllegalArgumentException().isThrownBy(() -> PromQl.of(expression));
	}

}
