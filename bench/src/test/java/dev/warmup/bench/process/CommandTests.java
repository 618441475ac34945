package dev.warmup.bench.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CommandTests {

	private final Command command = new Command(Path.of("."), Map.of("GREETING", "good morning"),
			Duration.ofSeconds(60));

	@Test
	void whatIsPrintedIsHandedOver() {
		assertThat(this.command.run(List.of("sh", "-c", "echo $GREETING; echo you >&2")))
			.isEqualTo("good morning\nyou\n");
	}

	@Test
	void aFailureTellsWhatWasPrinted() {
		assertThatIllegalStateException().isThrownBy(() -> this.command.run(List.of("sh", "-c", "echo why; exit 3")))
			.withMessageContaining("why");
		assertThat(this.command.outcome(List.of("sh", "-c", "exit 3")).exitCode()).isEqualTo(3);
	}

	@Test
	void aProgramThatIsNotThereHasNotEnded() {
		assertThat(this.command.outcome(List.of("no-such-program")).exitCode()).isEqualTo(Command.NOT_ENDED);
	}

	@Test
	void aProgramThatTakesTooLongIsKilled() {
		Command hasty = new Command(Path.of("."), Map.of(), Duration.ofMillis(1));
		assertThat(hasty.outcome(List.of("sleep", "600")).exitCode()).isEqualTo(Command.NOT_ENDED);
	}

}
