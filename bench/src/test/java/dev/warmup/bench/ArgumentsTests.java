package dev.warmup.bench;

import java.nio.file.Path;
import java.util.List;

import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.DefaultApplicationArguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(30)
class ArgumentsTests {

	private static Arguments parse(String... words) {
		return Arguments.of(new DefaultApplicationArguments(words));
	}

	@Test
	void everythingIsMeasuredThreeTimesUnlessQuick() {
		assertThat(parse()).extracting(Arguments::rounds, Arguments::variants, Arguments::name)
			.containsExactly(3, List.of(Variant.values()), "latest");
		assertThat(parse().scenarios()).extracting(Scenario::id)
			.containsExactly("first", "burst", "join", "deploy", "together", "idle", "overhead");
		assertThat(parse("--quick")).extracting(Arguments::rounds, Arguments::variants, Arguments::name)
			.containsExactly(1, List.of(Variant.NOTHING, Variant.OURS, Variant.STEADY), "quick");
	}

	@Test
	void scenariosAndVariantsAreTakenInTheOrderOfTheTables() {
		Arguments arguments = parse("burst", "--variants=ours,nothing", "--n=5", "--java=/opt/jdk", "first",
				"--name=mine");
		assertThat(arguments.scenarios()).extracting(Scenario::id).containsExactly("first", "burst");
		assertThat(arguments).extracting(Arguments::rounds, Arguments::variants, Arguments::name, Arguments::javaHome)
			.containsExactly(5, List.of(Variant.NOTHING, Variant.OURS), "mine", Path.of("/opt/jdk"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			growth               | unknown scenario growth; there are [first,
			--rounds=3           | unknown option --rounds
			--n 3                | needs a value: --n=
			--n=0                | --n=0: must be a number
			--variants=warmest   | unknown variant warmest; there are [nothing,
			--name=../elsewhere  | ../elsewhere: must be
			""")
	void wrongUsageIsExplained(String line, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse(line.split(" "))).withMessageContaining(message);
	}

}
