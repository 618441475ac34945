package dev.warmup.docker.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules that README.md says the Dockerfile keeps. */
class DockerfileTests {

	private static final Path ROOT = Path.of("..");

	private final Dockerfile dockerfile = Dockerfile.read(Path.of("Dockerfile"));

	@Test
	void baseImagesHaveAFullVersion() {
		List<String> defaults = this.dockerfile.preamble().stream().map(Dockerfile.Instruction::arguments).toList();
		assertThat(defaults).hasSize(2)
			.allSatisfy((image) -> assertThat(image).matches("JAVA_\\w+=[\\w-]+:\\d+\\.\\d+\\.\\d+_\\d+-jdk-\\w+"
					+ "|JAVA_\\w+=[\\w-]+:\\d+\\.\\d+\\.\\d+_\\d+-jre-\\w+"));
		assertThat(this.dockerfile.all("FROM")).extracting(Dockerfile.Instruction::arguments)
			.allMatch((image) -> image.matches("\\$\\{JAVA_(RUNTIME_)?IMAGE}( AS \\w+)?"));
	}

	@Test
	void noFrontendIsFetchedForIt() {
		assertThat(this.dockerfile.text()).doesNotContainPattern("(?im)^#\\s*syntax\\s*=");
	}

	@Test
	void theImageRunsAsAUserByNumberWhoIsNotRoot() {
		assertThat(this.dockerfile.last("USER")).isEqualTo("10001:10001");
	}

	@Test
	void nothingStandsBetweenTheEngineAndTheService() {
		assertThat(this.dockerfile.last("ENTRYPOINT")).isEqualTo("[\"/app/run\"]");
		assertThat(this.dockerfile.last("HEALTHCHECK")).matches("--.* CMD \\[\"/app/healthy\"]");
	}

	@Test
	void theImageIsMadeWithoutRunningAnythingInIt() {
		assertThat(this.dockerfile.image()).extracting(Dockerfile.Instruction::keyword).doesNotContain("RUN");
	}

	@Test
	void filesComeByCopyAndNoPackagesAreInstalled() {
		assertThat(this.dockerfile.all("ADD")).isEmpty();
		assertThat(this.dockerfile.all("RUN")).isNotEmpty()
			.noneMatch((run) -> run.arguments().matches(".*\\b(apt|apt-get|apk|sudo|curl|wget)\\b.*"));
	}

	@Test
	void foldersAreAbsoluteAndEnteredByWorkdir() {
		assertThat(this.dockerfile.all("WORKDIR")).isNotEmpty().allMatch((each) -> each.arguments().startsWith("/"));
		assertThat(this.dockerfile.all("RUN")).noneMatch((run) -> run.arguments().matches("(.*[;&|] *)?cd .*"));
	}

	@Test
	void noSecretIsPartOfIt() {
		assertThat(Stream.of("ARG", "ENV", "LABEL").flatMap(this.dockerfile::all)).isNotEmpty()
			.noneMatch((each) -> Pattern.compile("(?i)passw|secret|token|credential|_key\\b")
				.matcher(each.arguments())
				.find());
		assertThat(this.dockerfile.text()).doesNotContain("type=secret", ".m2/settings.xml");
	}

	/** Or they would be built once for each service. */
	@Test
	void onlyTheLastStageKnowsWhichServiceItIs() {
		List<List<Dockerfile.Instruction>> stages = this.dockerfile.stages();
		assertThat(stages.subList(0, stages.size() - 1)).hasSize(3)
			.allSatisfy((stage) -> assertThat(stage)
				.noneMatch((each) -> each.arguments().matches(".*\\b(SERVICE|PORT)\\b.*")));
	}

	@Test
	void theContextHoldsWhatIsBuiltAndWhatIsCopied() throws IOException {
		List<String> letThrough = Files.readAllLines(ROOT.resolve(".dockerignore"))
			.stream()
			.filter((line) -> line.startsWith("!"))
			.map((line) -> line.substring(1))
			.toList();
		String built = this.dockerfile.all("RUN").map(Dockerfile.Instruction::arguments).collect(Collectors.joining());
		List<String> modules = Pattern.compile("-pl (\\S+) -am")
			.matcher(built)
			.results()
			.map((MatchResult found) -> found.group(1))
			.flatMap((list) -> Stream.of(list.split(",")))
			.toList();
		assertThat(modules).containsExactlyInAnyOrder("eureka-server", "gateway", "chat-service");
		assertThat(letThrough).contains("*/pom.xml", "warmup-common/src/main", "stack", "docker/run", "docker/healthy")
			.containsAll(modules.stream().map((module) -> module + "/src/main").toList());
		assertThat(letThrough).filteredOn((path) -> !path.contains("*"))
			.allSatisfy((path) -> assertThat(ROOT.resolve(path)).exists());
	}

}
