package dev.warmup.docker.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;

/**
 * What runs Pods of one container.
 *
 * @param name its name
 * @param selector which Pods are its own
 * @param template what its Pods are
 */
record Workload(String name, V1LabelSelector selector, V1PodTemplateSpec template) {

	V1PodSpec pod() {
		return this.template.getSpec();
	}

	Map<String, String> labels() {
		return this.template.getMetadata().getLabels();
	}

	V1Container container() {
		List<V1Container> containers = pod().getContainers();
		if (containers.size() != 1 || !pod().getInitContainers().isEmpty()) {
			throw new IllegalStateException(this.name + " has more than one container");
		}
		return containers.get(0);
	}

	String image() {
		return container().getImage();
	}

	/** What is set as it stands here, without what is taken from elsewhere. */
	Map<String, Object> environment() {
		return container().getEnv()
			.stream()
			.filter((variable) -> variable.getValue() != null)
			.collect(Collectors.toMap(V1EnvVar::getName, V1EnvVar::getValue));
	}

	/** Seconds until the container is given up. */
	static int patience(V1Probe probe) {
		return probe.getPeriodSeconds() * probe.getFailureThreshold();
	}

	boolean isSelectedBy(Map<String, String> wanted) {
		return !wanted.isEmpty() && labels().entrySet().containsAll(wanted.entrySet());
	}

	@Override
	public String toString() {
		return this.name;
	}

}
