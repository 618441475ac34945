package dev.warmup.docker.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the JVM is started with in a container, told by one that only prints it. */
@DisabledOnOs(OS.WINDOWS)
class StartTests {

	@TempDir
	Path app;

	@BeforeEach
	void putItselfInThePlaceOfTheJvm() throws IOException {
		Files.copy(Path.of("run"), this.app.resolve("run"));
		Path java = Files.createFile(this.app.resolve("java"),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		Files.writeString(java, "#!/bin/sh\necho \"$PPID\"; echo \"$JAVA_TOOL_OPTIONS\"; echo \"$@\"\n");
	}

	@Test
	void startsTheJarOfItsService() throws Exception {
		assertThat(start(Map.of(), "--one", "--two").get(2)).isEqualTo("-jar %1$s/gateway/gateway.jar --one --two",
				this.app);
	}

	/** Or SIGTERM would end the shell, and not the service. */
	@Test
	void leavesItsProcessToTheJvm() throws Exception {
		assertThat(start(Map.of()).get(0)).isEqualTo(Long.toString(ProcessHandle.current().pid()));
	}

	@Test
	void whatIsSetFromOutsideComesLastAndWins() throws Exception {
		assertThat(options("-XX:MaxRAMPercentage=70 -Xss512k")).isEqualTo(
				"-XX:MaxRAMPercentage=50 -XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -XX:MaxRAMPercentage=70 -Xss512k");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-XX:+UseG1GC", "-Xss1m -XX:+UseParallelGC", "-XX:+UseZGC -Xss1m" })
	void namesNoCollectorBesideAnother(String chosen) throws Exception {
		assertThat(options(chosen)).doesNotContain("UseSerialGC").endsWith(chosen);
		assertThat(start(Map.of("JDK_JAVA_OPTIONS", chosen)).get(1)).doesNotContain("UseSerialGC");
	}

	@Test
	void givesTheCacheThatIsThere() throws Exception {
		assertThat(options("")).doesNotContain("AOTCache");
		Files.createFile(this.app.resolve("chat-service.aot"));
		assertThat(options("")).doesNotContain("AOTCache");
		Files.createFile(this.app.resolve("gateway.aot"));
		assertThat(options("-XX:AOTMode=off")).contains(" -XX:AOTCache=" + this.app + "/gateway.aot ");
	}

	private String options(String given) throws Exception {
		return start(Map.of("JAVA_TOOL_OPTIONS", given)).get(1);
	}

	private List<String> start(Map<String, String> environment, String... arguments) throws Exception {
		ProcessBuilder builder = new ProcessBuilder("bash", this.app.resolve("run").toString());
		builder.command().addAll(List.of(arguments));
		builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
		builder.environment().putAll(environment);
		builder.environment().put("SERVICE", "gateway");
		builder.environment().merge("PATH", this.app + ":", (path, first) -> first + path);
		Process process = builder.redirectErrorStream(true).start();
		List<String> lines = process.inputReader().lines().toList();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as("%s", lines).isZero();
		return lines;
	}

}
