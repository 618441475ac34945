package dev.warmup.docker.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the stack is made of, who reaches whom, and who may do what. */
class ComposeFileTests {

	@Test
	void theFileAtTheRootIsAllOfIt() {
		Map<String, Object> root = Compose.read(Compose.ROOT.resolve("compose.yaml"));
		assertThat(Compose.<List<String>>get(root, "include")).contains("docker/compose.yaml");
		assertThat(root.get("name")).isEqualTo(Compose.read(Compose.FILE).get("name")).isEqualTo("warmup");
		assertThat(Compose.services()).containsOnlyKeys("eureka-server", "gateway", "chat-service", "postgres");
	}

	@Test
	void usersComeInByTheGatewayAlone() {
		assertThat(Compose.<List<String>>get(Compose.service("gateway"), "ports"))
			.containsExactly("${GATEWAY_PORT:-8000}:8000");
		assertThat(Compose.<List<String>>get(Compose.service("eureka-server"), "ports"))
			.containsExactly("127.0.0.1:${EUREKA_PORT:-8761}:8761");
		assertThat(Compose.service("chat-service")).doesNotContainKeys("ports", "network_mode");
		assertThat(Compose.service("postgres")).doesNotContainKeys("ports", "network_mode");
	}

	@ParameterizedTest
	@MethodSource("all")
	void everyoneIsOnTheNetworkOfTheStack(String name) {
		assertThat(Compose.<List<String>>get(Compose.service(name), "networks")).containsExactly("warmup");
		assertThat(Compose.<Map<String, Object>>get(Compose.read(Compose.FILE), "networks")).containsOnlyKeys("warmup");
	}

	/** A name of its own, or a host's port, is there once. */
	@ParameterizedTest
	@MethodSource("all")
	void noContainerHasANameThatStandsInTheWayOfASecond(String name) {
		assertThat(Compose.service(name)).doesNotContainKeys("container_name", "hostname");
	}

	@ParameterizedTest
	@MethodSource("all")
	void aContainerMayDoNothingButItsWork(String name) {
		Map<String, Object> service = Compose.service(name);
		assertThat(service).containsEntry("read_only", true)
			.containsEntry("cap_drop", List.of("ALL"))
			.containsEntry("security_opt", List.of("no-new-privileges:true"))
			.containsKeys("mem_limit", "stop_grace_period")
			.doesNotContainKeys("privileged", "user", "pid", "cpus");
		assertThat(Compose.<List<String>>get(service, "tmpfs")).anyMatch((mount) -> mount.matches("/tmp(:.*)?"));
		if (Compose.own().contains(name)) {
			assertThat(service).doesNotContainKey("cap_add");
		}
	}

	/** The services bring theirs in their images; the database's has none. */
	@Test
	void everyContainerHasAHealthCheck() {
		assertThat(Compose.own()).allSatisfy((name) -> {
			assertThat(Compose.<String>get(Compose.service(name), "build", "dockerfile"))
				.isEqualTo("docker/Dockerfile");
			assertThat(Compose.service(name)).doesNotContainKey("healthcheck");
		});
		assertThat(Compose.<List<String>>get(Compose.service("postgres"), "healthcheck", "test"))
			.contains("pg_isready");
	}

	@Test
	void aStartWaitsForNothingButTheDatabase() {
		assertThat(Compose.service("eureka-server")).doesNotContainKey("depends_on");
		assertThat(Compose.<List<String>>get(Compose.service("gateway"), "depends_on"))
			.containsExactly("eureka-server");
		Map<String, Map<String, Object>> waits = Compose.get(Compose.service("chat-service"), "depends_on");
		assertThat(waits).containsOnlyKeys("eureka-server", "gateway", "postgres");
		assertThat(waits).allSatisfy((name, wait) -> assertThat(wait)
			.containsOnly(Map.entry("condition", name.equals("postgres") ? "service_healthy" : "service_started")));
	}

	@Test
	void noPasswordStandsInIt() throws IOException {
		assertThat(Compose.services().keySet()).allSatisfy((name) -> assertThat(environment(name).keySet())
			.noneMatch((variable) -> variable.matches("(?i).*(passw|secret|token).*")));
		assertThat(Files.readString(Compose.FILE)).doesNotContainPattern("PASSWORD\\s*[:=]\\s*[\"'\\w]");
	}

	@Test
	void thePasswordIsSharedByTheDatabaseAndItsClient() {
		assertThat(Compose.<List<Object>>get(Compose.service("postgres"), "volumes"))
			.contains("database-password:/run/secrets");
		assertThat(Compose.<List<Object>>get(Compose.service("chat-service"), "volumes"))
			.contains("database-password:/run/secrets:ro");
		assertThat(environment("chat-service")).containsEntry("SPRING_CONFIG_IMPORT", "configtree:/run/secrets/");
		assertThat(Stream.of("eureka-server", "gateway"))
			.allMatch((name) -> !Compose.service(name).containsKey("volumes"));
	}

	@Test
	@SuppressWarnings("unchecked")
	void theCatalogsFolderIsMountedWhereTheServiceReadsIt() {
		Map<String, Object> mount = Compose.<List<Object>>get(Compose.service("chat-service"), "volumes")
			.stream()
			.filter(Map.class::isInstance)
			.map((volume) -> (Map<String, Object>) volume)
			.findFirst()
			.orElseThrow();
		assertThat(mount).containsEntry("type", "bind")
			.containsEntry("read_only", true)
			.containsEntry("source", "${WARMUP_CATALOG_DIR:-.}");
		Path catalog = Path.of(((String) environment("chat-service").get("WARMUP_CATALOG")).replaceFirst("^file:", ""));
		assertThat(catalog.getParent()).hasToString((String) mount.get("target"));
		assertThat(Compose.FILE.resolveSibling(catalog.getFileName())).isRegularFile();
	}

	@ParameterizedTest
	@MethodSource("own")
	void variablesAreThoseThatTheServicesFilesName(String name) throws IOException {
		Set<String> springs = Set.of("SPRING_PROFILES_ACTIVE", "SPRING_CONFIG_IMPORT", "EUREKA_INSTANCE_INSTANCE_ID",
				"WARMUP_CATALOG", "WARMUP_STARTUP_BUDGET", "WARMUP_STEADY_TOLERANCE", "WARMUP_STEADY_MAX_SPREAD",
				"WARMUP_IDLE_AFTER");
		String files = files(name);
		assertThat(environment(name).keySet()).filteredOn((variable) -> !springs.contains(variable))
			.allSatisfy((variable) -> assertThat(files).containsPattern("\\$\\{" + variable + "[:}]"));
	}

	static Stream<String> all() {
		return Compose.services().keySet().stream();
	}

	static List<String> own() {
		return Compose.own();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> environment(String name) {
		return (Map<String, Object>) Compose.service(name).getOrDefault("environment", Map.of());
	}

	private static String files(String name) throws IOException {
		Path resources = Compose.ROOT.resolve(name).resolve("src/main/resources");
		String common = Files.readString(resources.resolve("application.yaml"));
		Object profile = environment(name).get("SPRING_PROFILES_ACTIVE");
		return (profile != null) ? common + Files.readString(resources.resolve("application-" + profile + ".yaml"))
				: common;
	}

}
