package dev.warmup.docker.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the images are called, and made from. */
class ImageTests {

	@ParameterizedTest
	@MethodSource("own")
	void haveTheirServicesNameAndPort(String name) throws IOException {
		Map<String, Object> service = Compose.service(name);
		assertThat(service).containsEntry("image", "warmup/" + name + ":${WARMUP_VERSION:-latest}");
		assertThat(Compose.<String>get(service, "build", "args", "SERVICE")).isEqualTo(name);
		Integer port = Compose.get(service, "build", "args", "PORT");
		assertThat(Files.readString(Compose.ROOT.resolve(name).resolve("src/main/resources/application.yaml")))
			.containsPattern("(?m)^  port: (\\$\\{\\w+:)?" + port + "\\b");
	}

	/** Or a service would be built, and its cache trained, a time more. */
	@ParameterizedTest
	@MethodSource("own")
	void shareAllArgumentsButTheirNameAndPort(String name) {
		Map<String, Object> arguments = Compose.get(Compose.service(name), "build", "args");
		Map<String, Object> shared = Compose.get(Compose.read(Compose.FILE), "x-arguments");
		assertThat(arguments).containsAllEntriesOf(shared).hasSize(shared.size() + 2);
		assertThat(Compose.<String>get(Compose.service(name), "build", "context")).isEqualTo("..");
	}

	@Test
	void comeFromTheVersionsThatTheDockerfileNames() throws IOException {
		Map<String, String> arguments = Compose.get(Compose.read(Compose.FILE), "x-arguments");
		String dockerfile = Files.readString(Compose.FILE.resolveSibling("Dockerfile"));
		String jdk = defaultOf(dockerfile, "JAVA_IMAGE");
		String jre = defaultOf(dockerfile, "JAVA_RUNTIME_IMAGE");
		assertThat(arguments).containsEntry("JAVA_IMAGE", "${JAVA_IMAGE:-" + jdk + "}")
			.containsEntry("JAVA_RUNTIME_IMAGE", "${JAVA_RUNTIME_IMAGE:-${JAVA_IMAGE:-" + jre + "}}");
		assertThat(jre).isEqualTo(jdk.replace("-jdk-", "-jre-"));
	}

	@Test
	void ofTheDatabaseHasAFullVersion() {
		assertThat(Compose.<String>get(Compose.service("postgres"), "image"))
			.matches("\\$\\{POSTGRES_IMAGE:-postgres:\\d+\\.\\d+-\\w+}");
	}

	static List<String> own() {
		return Compose.own();
	}

	private static String defaultOf(String dockerfile, String argument) {
		return dockerfile.lines()
			.filter((line) -> line.startsWith("ARG " + argument + "="))
			.findFirst()
			.orElseThrow()
			.replaceFirst(".*?=", "");
	}

}
