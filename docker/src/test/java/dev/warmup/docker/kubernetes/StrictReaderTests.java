package dev.warmup.docker.kubernetes;

import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What else would let a misspelt manifest pass. */
class StrictReaderTests {

	private static final String FINE = """
			apiVersion: apps/v1
			kind: Deployment
			metadata: { name: one }
			spec:
			  replicas: 2
			  selector: { matchLabels: { app: one } }
			  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 25% } }
			  template:
			    metadata: { labels: { app: one } }
			    spec:
			      containers:
			        - name: one
			          image: one:1
			          env: [{ name: PORT, value: "80" }]
			          resources: { requests: { cpu: 500m, memory: 1Gi } }
			          startupProbe: { httpGet: { path: /ready, port: 80 }, periodSeconds: 2 }
			""";

	@Test
	void readsWhatTheApiTakes() {
		assertThat(StrictReader.read(FINE)).singleElement()
			.isInstanceOfSatisfying(V1Deployment.class,
					(deployment) -> assertThat(deployment.getSpec().getReplicas()).isEqualTo(2));
	}

	@ParameterizedTest
	@CsvSource({ "'periodSeconds: 2', 'periodSecond: 2', periodSecond", "replicas, replica, replica",
			"maxSurge, maxsurge, maxsurge", "'cpu: 500m, memory', 'cpu: 500m }, request: { memory', request",
			"'selector:', 'selektor:', selektor", "'- name: one', '- named: one', named" })
	void refusesAFieldThatIsMisspelt(String right, String wrong, String named) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> readInsteadOf(right, wrong))
			.withMessageContaining("`" + named + "`");
	}

	@ParameterizedTest
	@CsvSource({ "'replicas: 2', 'replicas: \"2\"'", "'value: \"80\"', 'value: 80'",
			"'periodSeconds: 2', 'periodSeconds: \"2\"'", "'image: one:1', 'image: one:1, args:'" })
	void refusesATextForANumberAndTheReverse(String right, String wrong) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> readInsteadOf(right, wrong));
	}

	@ParameterizedTest
	@CsvSource({ "'metadata: { name: one }', 'metadata: { name: one, name: two }'", "apps/v1, apps/v2",
			"'      containers:', '      initContainers:'" })
	void refusesWhatIsMissingTwiceThereOrUnknown(String right, String wrong) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> readInsteadOf(right, wrong));
	}

	private static void readInsteadOf(String right, String wrong) {
		assertThat(FINE).contains(right);
		StrictReader.read(FINE.replace(right, wrong)).toList();
	}

}
