package dev.warmup.bench.memory;

import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PagedOutTests {

	@Test
	void theProcessesAreSummedUp() {
		assertThat(PagedOut.of("71 2048 512\n72 1024 100\ncached 9"))
			.isEqualTo(new PagedOut(DataSize.ofMegabytes(3), DataSize.ofKilobytes(612), DataSize.ofKilobytes(9)));
	}

	@Test
	void littleThatStaysIsNoShortfall() {
		assertThat(PagedOut.of("71 400000 60000\ncached 30000").shortfall()).isEmpty();
	}

	@Test
	void whatStaysOrIsOnlyCachedIsTold() {
		assertThat(PagedOut.of("71 409600 204800\ncached 0").shortfall())
			.hasValueSatisfying((told) -> assertThat(told).contains("of 400 MiB, 200 MiB stayed"));
		assertThat(PagedOut.of("71 409600 2048\ncached 204800").shortfall()).isPresent();
	}

	@Test
	void anythingElseIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> PagedOut.of("Segmentation fault"));
	}

}
