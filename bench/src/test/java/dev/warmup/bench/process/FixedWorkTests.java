package dev.warmup.bench.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FixedWorkTests {

	@Test
	void itTakesCpuTimeEachTime() {
		FixedWork work = new FixedWork();
		assertThat(work.cpu()).isPositive();
		assertThat(work.cpu()).isPositive();
	}

}
