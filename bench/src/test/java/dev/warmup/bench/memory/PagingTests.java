package dev.warmup.bench.memory;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PagingTests {

	@TempDir
	private Path directory;

	@Test
	void whereItCannotBeDoneItIsSkippedWithAWord() {
		Host host = new Host("Linux", "6.1.0", false, List.of());
		try (Paging paging = Paging.prepare(host, Path.of("page-out.py"), this.directory)) {
			assertThat(paging.pageOut(List.of(1L))).contains("No memory was paged out: this needs root.");
		}
		assertThat(this.directory).isEmptyDirectory();
	}

}
