package dev.warmup.docker.kubernetes;

import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads manifests as the types of the Kubernetes API. The client's model refuses fields
 * that it does not know and misses those that are required; it takes a number for a text
 * and the reverse, as the API does not, so that what it understood is compared with what
 * was written.
 */
final class StrictReader {

	private static final Map<String, Class<? extends KubernetesObject>> TYPES = Map.of("v1 Namespace",
			V1Namespace.class, "v1 Service", V1Service.class, "v1 ConfigMap", V1ConfigMap.class, "v1 Secret",
			V1Secret.class, "apps/v1 Deployment", V1Deployment.class, "apps/v1 StatefulSet", V1StatefulSet.class,
			"policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class, "autoscaling/v2 HorizontalPodAutoscaler",
			V2HorizontalPodAutoscaler.class);

	private static final Gson GSON = JSON.getGson();

	private StrictReader() {
	}

	/**
	 * Reads them.
	 * @param manifests YAML documents
	 * @return an object a document, in that order
	 * @throws RuntimeException if a document is not YAML, has a key twice, or is not what
	 * the API takes
	 */
	static Stream<KubernetesObject> read(String manifests) {
		LoaderOptions options = new LoaderOptions();
		options.setAllowDuplicateKeys(false);
		Iterable<Object> documents = new Yaml(new SafeConstructor(options)).loadAll(manifests);
		return StreamSupport.stream(documents.spliterator(), false)
			.map((document) -> typed(new Gson().toJsonTree(document).getAsJsonObject()));
	}

	private static KubernetesObject typed(JsonObject written) {
		String type = text(written, "apiVersion") + " " + text(written, "kind");
		KubernetesObject object = GSON.fromJson(written, Optional.ofNullable(TYPES.get(type))
			.orElseThrow(() -> new IllegalArgumentException("Unknown type '" + type + "'")));
		JsonElement understood = GSON.toJsonTree(object);
		if (!holds(understood, written)) {
			throw new IllegalArgumentException("Written: " + written + "\nUnderstood: " + understood);
		}
		return object;
	}

	/** The model adds empty lists and maps of its own. */
	private static boolean holds(JsonElement understood, JsonElement written) {
		if (understood instanceof JsonObject known && written instanceof JsonObject object) {
			return object.entrySet()
				.stream()
				.allMatch((field) -> known.has(field.getKey()) && holds(known.get(field.getKey()), field.getValue()));
		}
		if (understood instanceof JsonArray known && written instanceof JsonArray array) {
			return known.size() == array.size()
					&& IntStream.range(0, array.size()).allMatch((index) -> holds(known.get(index), array.get(index)));
		}
		return understood.equals(written);
	}

	private static String text(JsonObject document, String field) {
		return Optional.ofNullable(document.get(field)).map(JsonElement::getAsString).orElse("");
	}

}
