package dev.warmup.docker.kubernetes;

import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1PodSecurityContext;
import io.kubernetes.client.openapi.models.V1SecurityContext;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The restricted Pod Security Standard, and more. */
class SecurityTests {

	@Test
	void theNamespaceEnforcesIt() {
		assertThat(Manifests.of(V1Namespace.class)).singleElement()
			.satisfies((namespace) -> assertThat(namespace.getMetadata().getLabels())
				.containsEntry("pod-security.kubernetes.io/enforce", "restricted"));
	}

	@ParameterizedTest
	@MethodSource("workloads")
	void aContainerMayDoNothingButItsWork(Workload workload) {
		V1SecurityContext context = workload.container().getSecurityContext();
		assertThat(context.getAllowPrivilegeEscalation()).isFalse();
		assertThat(context.getReadOnlyRootFilesystem()).isTrue();
		assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
		assertThat(context.getCapabilities().getAdd()).isEmpty();
		assertThat(context.getPrivileged()).isNull();
		assertThat(workload.container().getVolumeMounts()).extracting(V1VolumeMount::getMountPath).contains("/tmp");
	}

	@ParameterizedTest
	@MethodSource("workloads")
	void aPodIsNobodysRootAndHasNoKeyToTheCluster(Workload workload) {
		V1PodSecurityContext context = workload.pod().getSecurityContext();
		assertThat(context.getRunAsNonRoot()).isTrue();
		assertThat(context.getRunAsUser()).isEqualTo(workload.image().startsWith("warmup/") ? 10001 : 999);
		assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
		assertThat(workload.pod().getAutomountServiceAccountToken()).isFalse();
		assertThat(workload.pod().getHostNetwork()).isNull();
	}

	/** Memory is no one else's to take; a limit of CPU would throttle the warm-up. */
	@ParameterizedTest
	@MethodSource("workloads")
	void memoryIsLimitedAndProcessorsAreNot(Workload workload) {
		assertThat(workload.container().getResources().getLimits()).containsOnlyKeys("memory");
		assertThat(workload.container().getResources().getRequests()).containsOnlyKeys("cpu", "memory");
	}

	static Stream<Workload> workloads() {
		return Manifests.workloads().stream();
	}

}
