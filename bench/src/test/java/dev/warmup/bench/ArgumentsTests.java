package dev.warmup.bench;

import java.util.List;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ArgumentsTests {

	private static final List<String> KNOWN = List.of("first", "burst", "join", "curve");

	private static final List<String> USUAL = List.of("first", "burst", "join");

	@Test
	void withoutANameTheUsualScenariosRun() {
		assertThat(parse()).isEqualTo(new Arguments(false, false, false, OptionalInt.empty(), USUAL));
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
			.isEqualTo(new Arguments(false, true, true, OptionalInt.empty(), List.of("first", "join")));
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
	void theRoundsAreACount() {
		assertThat(parse("--rounds=3", "first"))
			.isEqualTo(new Arguments(false, false, false, OptionalInt.of(3), List.of("first")));
		assertThat(parse("--rounds=3", "--rounds=99").rounds()).hasValue(99);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "-1", "100", "3.5", "many" })
	void roundsThatAreNoCountAreRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--rounds=" + text))
			.withMessage("--rounds=" + text + " is not a number from 1 to 99");
	}

	@Test
	void anUnknownOptionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--fast")).withMessage("no such option: --fast");
	}

	private static Arguments parse(String... words) {
		return Arguments.parse(List.of(words), KNOWN, USUAL, List.of("burst"));
	}

}
