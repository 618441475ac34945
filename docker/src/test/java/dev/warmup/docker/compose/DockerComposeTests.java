package dev.warmup.docker.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What docker compose itself makes of it, where it is installed; that takes no engine.
 */
@EnabledIf("isThere")
class DockerComposeTests {

	@TempDir
	Path outputs;

	@Test
	void findsNoFault() throws Exception {
		assertThat(compose(Map.of(), "config", "--quiet")).isEmpty();
	}

	@Test
	void findsTheFilesFromTheRoot() throws Exception {
		Map<String, Object> config = Compose.parse(compose(Map.of(), "config"));
		assertThat(config).containsEntry("name", "warmup");
		assertThat(Compose.<String>get(config, "services", "gateway", "build", "context"))
			.isEqualTo(Compose.ROOT.toString());
		assertThat(Compose.<List<Map<String, Object>>>get(config, "services", "chat-service", "volumes"))
			.anyMatch((volume) -> Compose.FILE.getParent().toString().equals(volume.get("source")));
	}

	@Test
	void takesOneImageForBothWhereOneIsGiven() throws Exception {
		Map<String, Object> config = Compose
			.parse(compose(Map.of("JAVA_IMAGE", "example/jdk:1", "GATEWAY_PORT", "18000"), "config"));
		assertThat(Compose.own()).allSatisfy(
				(name) -> assertThat(Compose.<Map<String, Object>>get(config, "services", name, "build", "args"))
					.containsEntry("JAVA_IMAGE", "example/jdk:1")
					.containsEntry("JAVA_RUNTIME_IMAGE", "example/jdk:1"));
		assertThat(Compose.<List<Map<String, Object>>>get(config, "services", "gateway", "ports")).singleElement()
			.satisfies((port) -> assertThat(port).containsEntry("published", "18000").containsEntry("target", 8000));
	}

	static boolean isThere() throws InterruptedException {
		try {
			return new ProcessBuilder("docker", "compose", "version").redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) { // no docker
			return false;
		}
	}

	private String compose(Map<String, String> variables, String... command) throws Exception {
		Path output = this.outputs.resolve("output");
		Path error = this.outputs.resolve("error");
		ProcessBuilder builder = new ProcessBuilder("docker", "compose");
		builder.command().addAll(List.of(command));
		builder.environment().keySet().retainAll(List.of("PATH", "HOME", "DOCKER_CONFIG"));
		builder.environment().putAll(variables);
		Process process = builder.directory(Compose.ROOT.toFile())
			.redirectOutput(output.toFile())
			.redirectError(error.toFile())
			.start();
		try {
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("docker compose ended").isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(process.exitValue()).as(Files.readString(error)).isZero();
		return Files.readString(output);
	}

}
