package dev.warmup.bench.process;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class UsageTests {

	private static final Usage KNOWN = new Usage(Optional.of(Duration.ofSeconds(2)), Optional.of(Duration.ofSeconds(1)),
			Optional.of(DataSize.ofMegabytes(100)));

	@Test
	void processesAddUp() {
		assertThat(Stream.of(KNOWN, KNOWN).reduce(Usage.NONE, Usage::plus))
			.isEqualTo(new Usage(Optional.of(Duration.ofSeconds(4)), Optional.of(Duration.ofSeconds(2)),
					Optional.of(DataSize.ofMegabytes(200))));
	}

	@Test
	void aSumWithAnUnknownPartIsUnknown() {
		Usage sum = KNOWN.plus(new Usage(Optional.of(Duration.ofSeconds(1)), Optional.empty(), Optional.empty()));
		assertThat(sum).isEqualTo(new Usage(Optional.of(Duration.ofSeconds(3)), Optional.empty(), Optional.empty()));
	}

	@Test
	void aProcessThatIsNotThereHasCostNothingThatIsKnown() {
		assertThat(new Jvm(Long.MAX_VALUE).usage())
			.isEqualTo(new Usage(Optional.empty(), Optional.empty(), Optional.empty()));
	}

	@Test
	void thisJvmHasCostSomething() {
		Usage usage = new Jvm(ProcessHandle.current().pid()).usage();
		assertThat(usage.memory()).hasValueSatisfying((memory) -> assertThat(memory.toMegabytes()).isPositive());
		assertThat(usage.cpu()).hasValueSatisfying((cpu) -> assertThat(cpu).isPositive());
	}

}
