package dev.warmup.docker.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStrategy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** No Pod goes before another that is warm has come. */
class RolloutTests {

	/** PostgreSQL's default, without those that it keeps for administrators. */
	private static final int CONNECTIONS = 100 - 3;

	@ParameterizedTest
	@MethodSource("scaled")
	void addsAWarmPodBeforeItTakesAnOldOne(V2HorizontalPodAutoscaler autoscaler) {
		V1DeploymentStrategy strategy = target(autoscaler).getSpec().getStrategy();
		assertThat(strategy.getType()).isEqualTo("RollingUpdate");
		assertThat(strategy.getRollingUpdate().getMaxSurge().getIntValue()).isEqualTo(1);
		assertThat(strategy.getRollingUpdate().getMaxUnavailable().getIntValue()).isZero();
	}

	@ParameterizedTest
	@MethodSource("scaled")
	void leavesTheNumberOfPodsToTheAutoscaler(V2HorizontalPodAutoscaler autoscaler) {
		assertThat(target(autoscaler).getSpec().getReplicas()).isNull();
		assertThat(target(autoscaler).getSpec().getTemplate().getSpec().getContainers().get(0).getResources())
			.satisfies((resources) -> assertThat(resources.getRequests()).containsKey("cpu"));
	}

	@ParameterizedTest
	@MethodSource("scaled")
	void doesNotTakeARunForUsers(V2HorizontalPodAutoscaler autoscaler) {
		Duration budget = Settings.of(workload(Manifests.name(autoscaler))).warmup().startup().budget();
		int window = autoscaler.getSpec().getBehavior().getScaleUp().getStabilizationWindowSeconds();
		assertThat(Duration.ofSeconds(window)).isGreaterThan(budget);
	}

	@ParameterizedTest
	@MethodSource("scaled")
	void isHeldUpByNoDrainAndLeavesOnePod(V2HorizontalPodAutoscaler autoscaler) {
		V1PodDisruptionBudget budget = Manifests.of(V1PodDisruptionBudget.class)
			.stream()
			.filter((each) -> workload(Manifests.name(autoscaler))
				.isSelectedBy(each.getSpec().getSelector().getMatchLabels()))
			.findFirst()
			.orElseThrow();
		assertThat(budget.getSpec().getMaxUnavailable().getIntValue()).isPositive()
			.isLessThan(autoscaler.getSpec().getMinReplicas());
	}

	@Test
	void selectorsMeanOneWorkloadEach() {
		assertThat(Manifests.of(V1PodDisruptionBudget.class)).isNotEmpty()
			.allSatisfy((each) -> assertThat(Manifests.workloads())
				.filteredOn((workload) -> workload.isSelectedBy(each.getSpec().getSelector().getMatchLabels()))
				.extracting(Workload::name)
				.containsExactly(Manifests.name(each)));
		assertThat(Manifests.of(V1Service.class)).isNotEmpty()
			.allSatisfy((each) -> assertThat(Manifests.workloads())
				.filteredOn((workload) -> workload.isSelectedBy(each.getSpec().getSelector()))
				.extracting(Workload::name)
				.containsExactly(Manifests.name(each)));
		assertThat(Manifests.workloads()).isNotEmpty()
			.allMatch((workload) -> workload.isSelectedBy(workload.selector().getMatchLabels()));
	}

	@Test
	void servicesLeadToAPortOfTheContainer() {
		assertThat(Manifests.of(V1Service.class))
			.allSatisfy((each) -> assertThat(workload(Manifests.name(each)).container().getPorts().get(0).getName())
				.isEqualTo(each.getSpec().getPorts().get(0).getTargetPort().getStrValue()));
	}

	/** The server's phase, and another for what else may be under way. */
	@ParameterizedTest
	@MethodSource("services")
	void lastsUntilRequestsAreServed(Workload service) {
		Duration phase = Settings.of(service).get("spring.lifecycle.timeout-per-shutdown-phase", Duration.class);
		long sleep = (service.container().getLifecycle() != null)
				? service.container().getLifecycle().getPreStop().getSleep().getSeconds() : 0;
		Long grace = service.pod().getTerminationGracePeriodSeconds();
		assertThat(Duration.ofSeconds((grace != null) ? grace : 30))
			.isGreaterThanOrEqualTo(phase.multipliedBy(2).plusSeconds(sleep));
	}

	@Test
	void theDatabaseHasConnectionsForAllPods() {
		V2HorizontalPodAutoscaler chat = scaled().filter((each) -> Manifests.name(each).equals("chat-service"))
			.findFirst()
			.orElseThrow();
		int pool = Settings.of(workload("chat-service")).get("spring.r2dbc.pool.max-size", Integer.class);
		assertThat((chat.getSpec().getMaxReplicas() + 1) * pool).isLessThanOrEqualTo(CONNECTIONS);
	}

	static Stream<V2HorizontalPodAutoscaler> scaled() {
		List<V2HorizontalPodAutoscaler> autoscalers = Manifests.of(V2HorizontalPodAutoscaler.class);
		assertThat(autoscalers).extracting(Manifests::name).containsExactlyInAnyOrder("chat-service", "gateway");
		return autoscalers.stream();
	}

	static Stream<Workload> services() {
		return Manifests.services().stream();
	}

	private static V1Deployment target(V2HorizontalPodAutoscaler autoscaler) {
		return Manifests.of(V1Deployment.class)
			.stream()
			.filter((each) -> Manifests.name(each).equals(autoscaler.getSpec().getScaleTargetRef().getName()))
			.findFirst()
			.orElseThrow();
	}

	private static Workload workload(String name) {
		return Manifests.workloads().stream().filter((each) -> each.name().equals(name)).findFirst().orElseThrow();
	}

}
