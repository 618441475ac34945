package dev.warmup.protocol;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class GateTests {

	@ParameterizedTest
	@CsvSource({ "WARM, OPEN, OPEN", "WARM, CLOSED, OPEN", "DEGRADED, OPEN, OPEN", "DEGRADED, CLOSED, CLOSED",
			"FAILED, OPEN, OPEN", "FAILED, CLOSED, CLOSED" })
	void firstRunOpensTheGateUnlessItFailedAndThePolicyIsStrict(Phase left, Gate.Position onFailure,
			Gate.Position expected) {
		Gate gate = new Gate(true, onFailure, () -> {
		});
		assertThat(gate.isOpen()).isFalse();
		gate.onCompleted(Optional.of(left));
		assertThat(gate.position()).isEqualTo(expected);
		assertThat(gate.isOpen()).isEqualTo(expected == Gate.Position.OPEN);
	}

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

	@Test
	void gateOpensWithNothingToSendAndStaysOpen() {
		AtomicInteger opened = new AtomicInteger();
		Gate gate = new Gate(true, Gate.Position.CLOSED, opened::incrementAndGet);
		assertThat(gate.onCompleted(Optional.empty())).isTrue();
		assertThat(gate.onCompleted(Optional.of(Phase.FAILED))).isFalse();
		assertThat(gate.onCompleted(Optional.of(Phase.WARM))).isFalse();
		assertThat(gate.isOpen()).isTrue();
		assertThat(opened).hasValue(1);
	}

	@Test
	void gateIsOpenAlsoWhereAListenerFails() {
		Gate gate = new Gate(true, Gate.Position.OPEN, () -> {
			throw new IllegalStateException("a bug of the application");
		});
		assertThat(gate.onDeadline()).isTrue();
		assertThat(gate.isOpen()).isTrue();
	}

	@Test
	void gateThatIsTurnedOffIsOpenFromTheStart() {
		assertThat(new Gate(false, Gate.Position.CLOSED, () -> {
		}).position()).isEqualTo(Gate.Position.OPEN);
	}

}
