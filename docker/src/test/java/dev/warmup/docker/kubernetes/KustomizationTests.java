package dev.warmup.docker.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/** The kustomization names what is there, and all of it. */
class KustomizationTests {

	private final Map<String, Object> kustomization = new Yaml()
		.load(Manifests.read(Manifests.FOLDER.resolve("kustomization.yaml")));

	@Test
	void listsEachManifestOnce() {
		assertThat(this.<String>list("resources")).containsExactlyInAnyOrderElementsOf(Manifests.files());
	}

	@Test
	void putsAllIntoTheNamespaceThatItMakes() {
		assertThat(Manifests.of(V1Namespace.class)).extracting(Manifests::name)
			.containsExactly((String) this.kustomization.get("namespace"));
	}

	@Test
	void makesWhatPodsReferTo() {
		assertThat(this.<Map<String, Object>>list("configMapGenerator")).singleElement()
			.satisfies((map) -> assertThat(configMaps()).containsOnly((String) map.get("name")));
		assertThat(this.<Map<String, Object>>list("secretGenerator")).singleElement()
			.satisfies((secret) -> assertThat(secrets()).containsOnly((String) secret.get("name")));
	}

	@Test
	@SuppressWarnings("unchecked")
	void takesThePasswordFromAFileThatIsNotInTheRepository() {
		Map<String, Object> secret = this.<Map<String, Object>>list("secretGenerator").get(0);
		assertThat(secret).containsOnlyKeys("name", "envs");
		assertThat((List<String>) secret.get("envs"))
			.allSatisfy((file) -> assertThat(Manifests.read(Manifests.ROOT.resolve(".gitignore")))
				.contains("\ndocker/kubernetes/" + file + "\n"));
	}

	@Test
	void givesEachImageOfThisRepositoryItsTag() {
		assertThat(Manifests.services()).hasSize(3).allSatisfy((service) -> {
			assertThat(service.image()).isEqualTo("warmup/" + service.name());
			assertThat(Manifests.ROOT.resolve(service.name()).resolve("pom.xml")).isRegularFile();
		});
		assertThat(this.<Map<String, Object>>list("images")).allMatch((image) -> image.get("newTag") instanceof String)
			.extracting((image) -> image.get("name"))
			.containsExactlyInAnyOrderElementsOf(Manifests.services().stream().map(Workload::image).toList());
		assertThat(Manifests.workloads()).extracting(Workload::image)
			.filteredOn((image) -> !image.startsWith("warmup/"))
			.singleElement()
			.satisfies((image) -> assertThat(image).matches("postgres:\\d+\\.\\d+-\\w+"));
	}

	@SuppressWarnings("unchecked")
	private <T> List<T> list(String field) {
		return (List<T>) Objects.requireNonNull(this.kustomization.get(field), field);
	}

	private static Stream<String> configMaps() {
		return Manifests.workloads()
			.stream()
			.flatMap((workload) -> workload.pod().getVolumes().stream())
			.filter((volume) -> volume.getConfigMap() != null)
			.map((volume) -> volume.getConfigMap().getName());
	}

	private static Stream<String> secrets() {
		return Manifests.workloads()
			.stream()
			.flatMap((workload) -> workload.container().getEnv().stream())
			.filter((variable) -> variable.getValueFrom() != null && variable.getValueFrom().getSecretKeyRef() != null)
			.map((variable) -> variable.getValueFrom().getSecretKeyRef().getName());
	}

}
