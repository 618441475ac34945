package dev.warmup.bench.variant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class JavaVersionTests {

	@ParameterizedTest
	@CsvSource({ "1.8.0_392, 8", "17.0.9, 17", "25, 25", "25.0.3, 25", "26-ea, 26" })
	void readsTheFeatureVersion(String version, int expected) {
		String output = "Picked up JAVA_TOOL_OPTIONS: -Dx=1\nopenjdk version \"%s\" 2026-01-01\nOpenJDK Runtime"
			.formatted(version);
		assertThat(JavaVersion.read(output)).isEqualTo(expected);
	}

	@Test
	void failsOnWhatIsNoVersion() {
		assertThatIllegalStateException().isThrownBy(() -> JavaVersion.read("command not found"))
			.withMessageContaining("command not found");
	}

}
