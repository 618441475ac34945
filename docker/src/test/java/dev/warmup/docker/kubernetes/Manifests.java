package dev.warmup.docker.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1StatefulSet;

/**
 * What docker/kubernetes holds, as it stands there: what kustomize adds is not in it.
 */
final class Manifests {

	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	static final Path FOLDER = Path.of("kubernetes").toAbsolutePath();

	private Manifests() {
	}

	/**
	 * The files that hold manifests.
	 * @return their names, in order
	 */
	static List<String> files() {
		try (Stream<Path> files = Files.list(FOLDER)) {
			return files.map(Path::getFileName)
				.map(Path::toString)
				.filter((name) -> name.endsWith(".yaml") && !name.equals("kustomization.yaml"))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * All objects of a type.
	 * @param <T> the type
	 * @param type the type's class
	 * @return the objects
	 */
	static <T extends KubernetesObject> List<T> of(Class<T> type) {
		return files().stream()
			.flatMap((name) -> StrictReader.read(read(FOLDER.resolve(name))))
			.filter(type::isInstance)
			.map(type::cast)
			.toList();
	}

	/**
	 * All that runs Pods.
	 * @return at least one
	 */
	static List<Workload> workloads() {
		return Stream
			.concat(of(V1Deployment.class).stream()
				.map((each) -> new Workload(name(each), each.getSpec().getSelector(), each.getSpec().getTemplate())),
					of(V1StatefulSet.class).stream()
						.map((each) -> new Workload(name(each), each.getSpec().getSelector(),
								each.getSpec().getTemplate())))
			.toList();
	}

	/**
	 * Those of them that are modules of this repository.
	 * @return at least one
	 */
	static List<Workload> services() {
		return workloads().stream().filter((each) -> each.image().startsWith("warmup/")).toList();
	}

	static String name(KubernetesObject object) {
		return Objects.requireNonNull(object.getMetadata().getName());
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
