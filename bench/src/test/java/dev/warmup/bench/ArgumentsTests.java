package dev.warmup.bench;

import java.nio.file.Path;
import java.util.List;

import dev.warmup.bench.scenario.Scenario;
import dev.warmup.bench.variant.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(30)
class ArgumentsTests {

	@Test
	void everythingIsMeasuredThreeTimesByDefault() {
		Arguments arguments = Arguments.parse(List.of());
		assertThat(arguments.rounds()).isEqualTo(3);
		assertThat(arguments.variants()).containsExactly(Variant.values());
		assertThat(arguments.scenarios()).extracting(Scenario::id)
			.containsExactly("first", "burst", "join", "idle", "overhead");
		assertThat(arguments.name()).isEqualTo("latest");
	}

	@Test
	void aQuickRunDoesNotReplaceTheCommittedResults() {
		Arguments arguments = Arguments.parse(List.of("--quick"));
		assertThat(arguments.name()).isEqualTo("quick");
		assertThat(arguments.rounds()).isOne();
		assertThat(arguments.variants()).containsExactly(Variant.NOTHING, Variant.OURS, Variant.STEADY);
	}

	@Test
	void scenariosAndVariantsAreTakenInTheOrderOfTheTables() {
		Arguments arguments = Arguments.parse(List.of("burst", "--variants", "ours,nothing", "--n", "5", "--java",
				"/opt/jdk", "first", "--name", "mine"));
		assertThat(arguments.scenarios()).extracting(Scenario::id).containsExactly("first", "burst");
		assertThat(arguments.variants()).containsExactly(Variant.NOTHING, Variant.OURS);
		assertThat(arguments.rounds()).isEqualTo(5);
		assertThat(arguments.javaHome()).isEqualTo(Path.of("/opt/jdk"));
		assertThat(arguments.name()).isEqualTo("mine");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			growth               | unknown scenario growth
			--rounds=3           | unknown option --rounds=3
			--n                  | --n needs a value
			--n 0                | --n 0: must be a number
			--variants warmest   | unknown variant warmest; there are [nothing,
			--name ../elsewhere  | ../elsewhere: must be
			""")
	void wrongUsageIsExplained(String line, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.parse(List.of(line.split(" "))))
			.withMessageContaining(message);
	}

}
