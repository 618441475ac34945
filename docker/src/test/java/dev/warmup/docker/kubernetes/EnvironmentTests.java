package dev.warmup.docker.kubernetes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is put into a container's environment is what the service reads there. */
class EnvironmentTests {

	@ParameterizedTest
	@MethodSource("services")
	void ownVariablesAreThoseThatTheServicesFilesName(Workload service) {
		String files = Settings.files(service).stream().map(Manifests::read).collect(Collectors.joining());
		Set<String> others = Set.of("POD_NAME", "EUREKA_INSTANCE_INSTANCE_ID", "SPRING_PROFILES_ACTIVE",
				"WARMUP_CATALOG", "JAVA_TOOL_OPTIONS");
		assertThat(service.container().getEnv()).extracting(V1EnvVar::getName)
			.filteredOn((name) -> !others.contains(name))
			.allSatisfy((name) -> assertThat(files).containsPattern("\\$\\{" + name + "[:}]"));
	}

	@Test
	void everyPartIsFoundByTheNameOfItsService() {
		Workload chat = service("chat-service");
		Map<String, Object> environment = chat.environment();
		assertThat(Manifests.of(V1Service.class)).extracting(Manifests::name)
			.contains("eureka-server", (String) environment.get("CHAT_DB_HOST"));
		Stream.of(chat, service("gateway"))
			.map(Settings::of)
			.forEach(
					(settings) -> assertThat(settings.get("eureka.client.service-url", ServiceUrls.class).defaultZone())
						.isEqualTo("http://eureka-server:8761/eureka/"));
		assertThat(Settings.of(chat).get("spring.r2dbc.url", String.class))
			.isEqualTo("r2dbc:postgresql://postgres:5432/chat");
	}

	@ParameterizedTest
	@MethodSource("registered")
	void instancesAreNamedAndReachedAsPods(Workload service) {
		Settings settings = Settings.of(service);
		assertThat(settings.get("eureka.instance.instance-id", String.class)).isEqualTo("$(POD_NAME)");
		assertThat(settings.get("eureka.instance.prefer-ip-address", Boolean.class)).isTrue();
	}

	/** A Service named gateway makes a GATEWAY_PORT, which is no number. */
	@Test
	void servicesAddNothingToIt() {
		assertThat(Manifests.workloads()).isNotEmpty()
			.allMatch((workload) -> Boolean.FALSE.equals(workload.pod().getEnableServiceLinks()));
	}

	@Test
	void theCatalogIsReadWhereItIsMounted() {
		Workload chat = service("chat-service");
		Path catalog = Path.of(Settings.of(chat).warmup().catalog().replaceFirst("^file:", ""));
		assertThat(chat.container().getVolumeMounts()).filteredOn((mount) -> mount.getName().equals("catalog"))
			.singleElement()
			.satisfies((mount) -> assertThat(Path.of(mount.getMountPath())).isEqualTo(catalog.getParent()));
		assertThat(Manifests.FOLDER.resolve(catalog.getFileName())).isRegularFile();
	}

	static Stream<Workload> services() {
		return Manifests.services().stream();
	}

	static List<Workload> registered() {
		return List.of(service("chat-service"), service("gateway"));
	}

	private static Workload service(String name) {
		return services().filter((each) -> each.name().equals(name)).findFirst().orElseThrow();
	}

	record ServiceUrls(String defaultZone) {

	}

}
