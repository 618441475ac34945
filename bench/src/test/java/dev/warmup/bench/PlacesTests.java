package dev.warmup.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PlacesTests {

	@TempDir
	Path root;

	@BeforeEach
	void putStack() throws IOException {
		Files.createFile(this.root.resolve("stack"));
	}

	@Test
	void whatIsNotSetHasADefault() {
		Places places = Places.of(this.root, Map.of("BENCH_RESULTS", ""), false, "latest");

		assertThat(places.results()).isEqualTo(this.root.resolve("bench/results/latest"));
		assertThat(places.javaHome()).isEqualTo(Path.of(System.getProperty("java.home")));
	}

	@Test
	void resultsGoWhereTheyShall() {
		assertThat(Places.of(this.root, Map.of("BENCH_RESULTS", "/elsewhere"), false, "curve").results())
			.isEqualTo(Path.of("/elsewhere"));
	}

	@Test
	void resultsOfAnotherNameDoNotReplaceTheLatest() {
		assertThat(Places.of(this.root, Map.of(), false, "curve").results())
			.isEqualTo(this.root.resolve("bench/results/curve"));
	}

	@Test
	void quickResultsAreNotPublished() {
		assertThat(Places.of(this.root, Map.of(), true, "curve").results())
			.isEqualTo(this.root.resolve("bench/target/results"));
	}

	@Test
	void aJavaHomeWithoutJavaIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Places.of(this.root, Map.of("JAVA_HOME", this.root.toString()), false, "latest"))
			.withMessageContaining("has no bin/java");
	}

	@Test
	void aDirectoryThatIsNotTheRepositoryIsRefused(@TempDir Path elsewhere) {
		assertThatIllegalArgumentException().isThrownBy(() -> Places.of(elsewhere, Map.of(), false, "latest"))
			.withMessageContaining("no ./stack");
	}

}
