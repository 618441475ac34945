package dev.warmup.bench;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ArgumentsTests {

	private static final List<String> KNOWN = List.of("first", "burst", "join", "curve");

	private static final List<String> USUAL = List.of("first", "burst", "join");

	@Test
	void withoutANameTheUsualScenariosRun() {
		assertThat(parse()).isEqualTo(new Arguments(false, false, false, USUAL));
	}

	@Test
	void whatIsNotUsualRunsWhenItIsNamed() {
		assertThat(parse("curve", "first").scenarios()).containsExactly("first", "curve");
	}

	@Test
	void withoutANameAFewRunWhenItShallBeQuick() {
		assertThat(parse("--quick").scenarios()).containsExactly("burst");
	}

	@Test
	void namedScenariosRunOnceAndInTheirOwnOrder() {
		assertThat(parse("join", "--quick", "--check", "first", "join"))
			.isEqualTo(new Arguments(false, true, true, List.of("first", "join")));
	}

	@Test
	void helpIsAskedForInTwoWays() {
		assertThat(parse("--help").help()).isTrue();
		assertThat(parse("-h").help()).isTrue();
	}

	@Test
	void anUnknownScenarioIsRefusedWithTheKnownOnes() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("frist"))
			.withMessage("no such scenario: frist; there are first, burst, join, curve");
	}

	@Test
	void anUnknownOptionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--fast")).withMessage("no such option: --fast");
	}

	private static Arguments parse(String... words) {
		return Arguments.parse(List.of(words), KNOWN, USUAL, List.of("burst"));
	}

}
