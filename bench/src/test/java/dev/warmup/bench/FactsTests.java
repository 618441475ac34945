package dev.warmup.bench;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FactsTests {

	@Test
	void theJdkIsToldInOneLine() {
		String output = """
				Picked up JAVA_TOOL_OPTIONS: -Dfile.encoding=UTF-8
				openjdk version "17.0.15" 2025-04-15
				OpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)
				OpenJDK 64-Bit Server VM (build 17.0.15+6-Debian-1deb12u1, mixed mode, sharing)
				""";

		assertThat(Facts.jdk(output))
			.isEqualTo("17.0.15, OpenJDK 64-Bit Server VM (build 17.0.15+6-Debian-1deb12u1, mixed mode, sharing)");
		assertThat(Facts.jdk("")).isEqualTo("unknown");
	}

	@Test
	void aDirtyTreeIsSaid() {
		Optional<String> head = Optional.of("f02acda\n");

		assertThat(Facts.commit(head, Optional.of(""))).isEqualTo("f02acda");
		assertThat(Facts.commit(head, Optional.of(" M stack\n"))).isEqualTo("f02acda + changes");
		assertThat(Facts.commit(Optional.empty(), Optional.empty())).isEqualTo("unknown");
	}

	@Test
	void memoryIsToldInGibibytes() {
		assertThat(Facts.gibibytes(8L << 30)).isEqualTo("8.0 GiB");
	}

	@Test
	void aLoadThatNobodyKnowsIsNotAFigure() {
		assertThat(Facts.load(1.25)).isEqualTo("1.3");
		assertThat(Facts.load(-1)).isEqualTo("unknown");
	}

	@Test
	void whatIsNotInTheTextIsUnknown() {
		Pattern pattern = Pattern.compile("version=(.*)");

		assertThat(Facts.first(pattern, "version= 4 \n")).isEqualTo("4");
		assertThat(Facts.first(pattern, "")).isEqualTo("unknown");
	}

	@Test
	void theRepositoryTellsItsVersionsAndFlags() {
		var facts = Facts.of(Path.of(".."), Path.of(System.getProperty("java.home")));

		assertThat(facts.get("Spring Boot")).matches("\\d+\\.\\d+\\.\\d+.*");
		assertThat(facts.get("Spring Cloud")).matches("\\d+\\.\\d+\\.\\d+.*");
		assertThat(facts.get("JVM flags of the stack")).startsWith("-X");
	}

}
