package dev.warmup.bench.process;

import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class ResidentMemoryTests {

	@Test
	void theKernelsStatusTellsItInKilobytes() {
		assertThat(ResidentMemory.inStatus("""
				Name:	java
				VmHWM:	  399999 kB
				VmRSS:	  366396 kB
				RssAnon:	  340000 kB
				""")).hasValue(DataSize.ofKilobytes(366_396));
	}

	@Test
	void whatHasEndedHasNone() {
		assertThat(ResidentMemory.inStatus("Name:\tjava\nState:\tZ (zombie)\n")).isEmpty();
		assertThat(ResidentMemory.inPs("")).isEmpty();
	}

	@Test
	void psTellsItInKilobytesToo() {
		assertThat(ResidentMemory.inPs("  366396\n")).hasValue(DataSize.ofKilobytes(366_396));
	}

}
