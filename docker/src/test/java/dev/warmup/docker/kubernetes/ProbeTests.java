package dev.warmup.docker.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.warmup.traffic.OwnTraffic;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1Probe;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Probes ask what the services answer, and have the patience that a warm-up takes. */
class ProbeTests {

	/** To start, and to be admitted by gateways that others are warmed through. */
	private static final Duration STARTED_AND_ADMITTED = Duration.ofSeconds(30 + 60);

	@ParameterizedTest
	@MethodSource("services")
	void askThePortAtWhichTheServiceListens(Workload service) {
		V1Container container = service.container();
		V1ContainerPort port = container.getPorts().get(0);
		assertThat(port.getContainerPort()).isEqualTo(Settings.of(service).get("server.port", Integer.class));
		assertThat(probes(container)).extracting((probe) -> probe.getHttpGet().getPort().getStrValue())
			.containsOnly(port.getName());
	}

	@ParameterizedTest
	@MethodSource("services")
	void askTheHealthGroupsThatTheServiceHas(Workload service) {
		V1Container container = service.container();
		assertThat(path(container.getReadinessProbe())).isEqualTo("/actuator/health/readiness");
		assertThat(path(container.getLivenessProbe())).isEqualTo("/actuator/health/liveness");
		Settings settings = Settings.of(service);
		assertThat(settings.exposes("health")).isTrue();
		assertThat(settings.get("management.endpoint.health.probes.enabled", Boolean.class)).isTrue();
	}

	@ParameterizedTest
	@MethodSource("services")
	void letTheStartEndWithTheGate(Workload service) {
		V1HTTPGetAction asked = service.container().getStartupProbe().getHttpGet();
		assertThat(asked.getPath()).isEqualTo(isWarmed(service) ? OwnTraffic.READY_PATH : "/actuator/health/readiness");
	}

	@ParameterizedTest
	@MethodSource("warmed")
	void outwaitTheLongestRun(Workload service) {
		Duration budget = Settings.of(service).warmup().startup().budget();
		Duration patience = Duration.ofSeconds(Workload.patience(service.container().getStartupProbe()));
		assertThat(patience).isGreaterThanOrEqualTo(budget.multipliedBy(2).plus(STARTED_AND_ADMITTED));
	}

	/** Both share the processor with users, and with an idle re-warm. */
	@ParameterizedTest
	@MethodSource("services")
	void doNotTakeABusyServiceForADeadOne(Workload service) {
		V1Container container = service.container();
		assertThat(List.of(container.getReadinessProbe(), container.getLivenessProbe()))
			.allSatisfy((probe) -> assertThat(probe.getTimeoutSeconds()).isGreaterThan(2));
		assertThat(Workload.patience(container.getLivenessProbe())).isGreaterThanOrEqualTo(60);
	}

	static Stream<Workload> services() {
		return Manifests.services().stream();
	}

	static Stream<Workload> warmed() {
		return services().filter(ProbeTests::isWarmed);
	}

	private static boolean isWarmed(Workload service) {
		return Manifests.read(Manifests.ROOT.resolve(service.name()).resolve("pom.xml"))
			.contains("<artifactId>warmup-common</artifactId>");
	}

	private static List<V1Probe> probes(V1Container container) {
		return List.of(container.getStartupProbe(), container.getReadinessProbe(), container.getLivenessProbe());
	}

	private static String path(V1Probe probe) {
		return probe.getHttpGet().getPath();
	}

}
