package dev.warmup.bench.variant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AotCacheTests {

	@TempDir
	Path home;

	/** A JDK that prints its version, and otherwise does nothing. */
	@BeforeEach
	void makeJdk() throws IOException {
		java(25);
	}

	@Test
	void isMissingOnAnOlderJdk() throws IOException {
		java(24);
		assertThat(cache("work").missing())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("JDK 25").contains("JDK 24"));
	}

	@Test
	void isMissingWhereOptionsWouldBeSplit() {
		assertThat(cache("work").missing()).isEmpty();
		assertThat(cache("my work").missing())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("blanks").contains("my work"));
	}

	@Test
	void theStackRunsTheTrainedJarsAndNoOthers() {
		assertThat(cache("work").settings()).containsEntry("STACK_JARS", this.home.resolve("work").toString())
			.containsEntry("GATEWAY_OPTS", options("gateway"))
			.containsEntry("CHAT_SERVICE_OPTS", options("chat-service"))
			.containsEntry("JAVA_OPTS", Training.JVM_OPTIONS)
			.doesNotContainKey("EUREKA_SERVER_OPTS");
	}

	@Test
	void failsWhenTheTrainingWritesNoCache() {
		AotCache cache = new AotCache(this.home, this.home.resolve("work"), this.home, (jars, caches) -> {
		});
		assertThatIllegalStateException().isThrownBy(cache::prepare).withMessageContaining(".aot");
	}

	@Test
	void trainsOnceForAllThatShareIt() {
		int[] trained = { 0 };
		AotCache cache = new AotCache(this.home, this.home.resolve("work"), this.home, (jars, caches) -> {
			trained[0]++;
			caches.values().forEach((file) -> assertThat(file.toFile().mkdir()).isTrue());
		});
		cache.prepare();
		cache.prepare();
		assertThat(trained[0]).isOne();
	}

	private String options(String service) {
		return "-XX:AOTMode=on -XX:AOTCache=" + this.home.resolve("work").resolve(service + ".aot");
	}

	private AotCache cache(String directory) {
		return new AotCache(this.home, this.home.resolve(directory), this.home, (jars, caches) -> {
		});
	}

	private void java(int version) throws IOException {
		Path java = Files.createDirectories(this.home.resolve("bin")).resolve("java");
		Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"%d\"'\n".formatted(version));
		assertThat(java.toFile().setExecutable(true)).isTrue();
	}

}
