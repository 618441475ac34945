package dev.warmup.protocol;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class GateTests {

	@ParameterizedTest
	@CsvSource({ "WARM, OPEN, OPEN", "WARM, CLOSED, OPEN", "DEGRADED, OPEN, OPEN", "DEGRADED, CLOSED, CLOSED",
			"FAILED, OPEN, OPEN", "FAILED, CLOSED, CLOSED" })
	void theFirstRunOpensItUnlessItFailedAndThePolicyIsStrict(Phase left, GatePosition onFailure,
			GatePosition expected) {
		Gate gate = new Gate(true, onFailure, () -> {
		});
		assertThat(gate.isOpen()).isFalse();
		gate.onConcluded(Optional.of(left));
		assertThat(gate.position()).isEqualTo(expected);
		assertThat(gate.isOpen()).isEqualTo(expected == GatePosition.OPEN);
	}

	@Test
	void withNothingToSendThereIsNothingToWaitFor() {
		Gate gate = new Gate(true, GatePosition.CLOSED, () -> {
		});
		gate.onConcluded(Optional.empty());
		assertThat(gate.isOpen()).isTrue();
	}

	@Test
	void onceOpenItStaysOpen() {
		Gate gate = new Gate(true, GatePosition.CLOSED, () -> {
		});
		gate.onConcluded(Optional.of(Phase.WARM));
		gate.onConcluded(Optional.of(Phase.FAILED));
		assertThat(gate.isOpen()).isTrue();
	}

	@Test
	void aGateThatIsTurnedOffIsOpenFromTheStart() {
		assertThat(new Gate(false, GatePosition.CLOSED, () -> {
		}).position()).isEqualTo(GatePosition.OPEN);
	}

}
