package dev.warmup.protocol;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JvmSnapshotTests {

	@Test
	void readingSurvivesTheHeader() {
		JvmSnapshot snapshot = new JvmSnapshot("127.0.0.1:8000", 0.5, Duration.ofMillis(12_345), 15_012);
		assertThat(snapshot.format()).isEqualTo("jvm=127.0.0.1:8000; processors=0.50; jit=12345; classes=15012");
		assertThat(JvmSnapshot.parse(snapshot.format())).hasValue(snapshot);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "jvm=a", "jvm=a; processors=1.00; jit=-1; classes=1",
			"jvm=a b; processors=1.00; jit=1; classes=1", "jvm=a; processors=1.00; jit=1; classes=9999999999999999" })
	void anythingElseIsNotParsed(String header) {
		assertThat(JvmSnapshot.parse(header)).isEmpty();
	}

}
