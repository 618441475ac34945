package dev.warmup.docker.kubernetes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What kubectl itself makes of the folder, where there is a kubectl. */
@EnabledIf("isThere")
class KubectlTests {

	@TempDir
	Path folder;

	@TempDir
	Path outputs;

	@BeforeEach
	void checkOut() throws IOException {
		for (String name : Stream
			.concat(Manifests.files().stream(), Stream.of("kustomization.yaml", "warmup-requests.yml"))
			.toList()) {
			Files.copy(Manifests.FOLDER.resolve(name), this.folder.resolve(name));
		}
	}

	@Test
	void namesTheFileThatAFreshCheckoutLacks() throws Exception {
		Built built = build();
		assertThat(built.exitCode()).isNotZero();
		assertThat(built.output()).isEmpty();
		assertThat(built.error()).contains("database.env").contains("no such file");
	}

	@Test
	void makesOneSetOfObjectsThatReferToEachOther() throws Exception {
		Files.writeString(this.folder.resolve("database.env"), "password=only-a-test\n");
		Built built = build();
		assertThat(built.exitCode()).as(built.error()).isZero();
		List<KubernetesObject> objects = StrictReader.read(built.output()).toList();
		V1Deployment chat = one(objects, V1Deployment.class, "chat-service");
		V1ConfigMap catalog = one(objects, V1ConfigMap.class, "warmup-catalog-");
		V1Secret password = one(objects, V1Secret.class, "chat-db-");
		assertThat(catalog.getData()).containsEntry("warmup-requests.yml",
				Manifests.read(this.folder.resolve("warmup-requests.yml")));
		assertThat(password.getData()).containsOnlyKeys("password");
		assertThat(chat.getSpec().getTemplate().getSpec().getVolumes())
			.anyMatch((volume) -> volume.getConfigMap() != null
					&& volume.getConfigMap().getName().equals(Manifests.name(catalog)));
		assertThat(chat.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv())
			.filteredOn((variable) -> variable.getName().equals("CHAT_DB_PASSWORD"))
			.allMatch(
					(variable) -> variable.getValueFrom().getSecretKeyRef().getName().equals(Manifests.name(password)));
	}

	static boolean isThere() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "kubectl")));
	}

	private static <T extends KubernetesObject> T one(List<KubernetesObject> objects, Class<T> type, String prefix) {
		return objects.stream()
			.filter((each) -> type.isInstance(each) && Manifests.name(each).startsWith(prefix))
			.map(type::cast)
			.findFirst()
			.orElseThrow();
	}

	private Built build() throws IOException, InterruptedException {
		Path output = this.outputs.resolve("output");
		Path error = this.outputs.resolve("error");
		Process kubectl = new ProcessBuilder("kubectl", "kustomize", this.folder.toString())
			.redirectOutput(output.toFile())
			.redirectError(error.toFile())
			.start();
		try {
			assertThat(kubectl.waitFor(2, TimeUnit.MINUTES)).as("kubectl ended").isTrue();
		}
		finally {
			kubectl.destroyForcibly();
		}
		return new Built(kubectl.exitValue(), Files.readString(output), Files.readString(error));
	}

	private record Built(int exitCode, String output, String error) {

	}

}
