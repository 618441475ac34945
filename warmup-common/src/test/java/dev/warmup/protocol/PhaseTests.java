package dev.warmup.protocol;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PhaseTests {

	@ParameterizedTest
	@CsvSource({ "'', ", "SKIPPED, ", "WARM, WARM", "DEGRADED, DEGRADED", "TIMED_OUT, DEGRADED", "FAILED, FAILED",
			"WARM WARM, WARM", "FAILED FAILED, FAILED", "WARM FAILED, DEGRADED", "FAILED WARM, DEGRADED",
			"WARM TIMED_OUT, DEGRADED", "TIMED_OUT FAILED, DEGRADED" })
	void aRunLeavesAnInstanceAsWarmAsItIsThroughEveryGateway(String verdicts, Phase expected) {
		List<Verdict> byGateway = Stream.of(verdicts.split(" "))
			.filter((name) -> !name.isEmpty())
			.map(Verdict::valueOf)
			.toList();
		assertThat(Phase.after(byGateway)).isEqualTo(Optional.ofNullable(expected));
	}

}
