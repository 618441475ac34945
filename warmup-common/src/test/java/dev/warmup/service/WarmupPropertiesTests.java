package dev.warmup.service;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@ExtendWith(OutputCaptureExtension.class)
class WarmupPropertiesTests {

	@Test
	void admissionIsByProcessorsWhereNothingIsSet() {
		assertThat(bind(Map.of()).admission().limit())
			.isEqualTo(Math.max(2, Runtime.getRuntime().availableProcessors()));
	}

	@Test
	void startupRunMayReplayWhatIsForTraining() {
		assertThat(bind(Map.of("warmup.startup.trigger", "train")).startup().trigger()).isEqualTo(Trigger.TRAIN);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					warmup.gateway.url             | /gateway      | It must be an absolute http or https URL, and its host must have no underscore.
					warmup.gateway.url             | ftp://gateway | It must be an absolute http or https URL, and its host must have no underscore.
					warmup.gateway.url             | ftp://a:b@c_d | It is logged, so it must contain no login
					warmup.gateway.url             | http://a:b@c  | It is logged, so it must contain no login
					warmup.gateway.url             | http://a_b:80 | It must be an absolute http or https URL, and its host must have no underscore.
					warmup.startup.budget          | 0s            | It must be longer than zero, and 365 days at most.
					warmup.startup.budget          | -1s           | It must be longer than zero, and 365 days at most.
					warmup.startup.budget          | 366d          | It must be longer than zero, and 365 days at most.
					warmup.startup.deadline        | 366d          | It must be longer than zero, and 365 days at most.
					warmup.ramp.window             | 366d          | It must be from 0 to 365 days
					warmup.ramp.window             | -1s           | It must be from 0 to 365 days
					warmup.startup.min-repetitions | 0             | It must be at least 1.
					warmup.startup.trigger         | idle          | It must be startup or train.
					warmup.steady.tolerance        | 0             | It must be above 0, such as 0.1.
					warmup.steady.tolerance        | NaN           | It must be above 0, such as 0.1.
					warmup.steady.window           | 4             | It must be at least 5.
					warmup.idle.after              | -1m           | It must be from 0 to 365 days; 0 means never.
					warmup.idle.after              | 366d          | It must be from 0 to 365 days; 0 means never.
					warmup.idle.jitter             | -0.1          | It must be a share from 0 to 1.
					warmup.idle.jitter             | 1.1           | It must be a share from 0 to 1.
					warmup.idle.jitter             | NaN           | It must be a share from 0 to 1.
					warmup.admission.max-concurrent | 0            | It must be at least 1.
					warmup.gate.on-failure         | ajar          | failed to convert
					warmup.startup.budget          | soon          | failed to convert
					""")
	void invalidValueStopsTheStartAndIsNamedWithTheReason(String property, String value, String reason,
			CapturedOutput output) {
		SpringApplication application = new SpringApplication(Settings.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--" + property + "=" + value));
		assertThat(output).contains("APPLICATION FAILED TO START").contains(property).contains(reason);
	}

	@Test
	void theSecretIsNotInAText() {
		assertThat(bind(Map.of("warmup.secret", "0123456789abcdef"))).asString().doesNotContain("0123");
	}

	/** What an IDE shows. */
	@Test
	void metadataDescribesEachPropertyWithTheDefaultThatBindingTakes() throws IOException {
		Map<String, String> generated = new TreeMap<>();
		metadata().forEach((name, property) -> {
			assertThat(property.path("description").asString("")).as(name).isNotBlank();
			generated.put(name, property.path("defaultValue").asString(""));
		});
		assertThat(generated.keySet()).filteredOn((name) -> generated.get(name).isEmpty())
			.containsExactlyInAnyOrder("warmup.secret", "warmup.instance.address", "warmup.gateway.url",
					"warmup.gateway.service-id", "warmup.admission.max-concurrent");
		generated.values().removeIf(String::isEmpty);
		assertThat(bind(generated)).isEqualTo(bind(Map.of()));
	}

	private static Map<String, JsonNode> metadata() throws IOException {
		Map<String, JsonNode> properties = new TreeMap<>();
		for (URL file : Collections.list(
				WarmupProperties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream input = file.openStream()) {
				JsonMapper.shared()
					.readTree(input)
					.path("properties")
					.valueStream()
					.filter((property) -> property.path("name").asString().startsWith("warmup."))
					.forEach((property) -> properties.put(property.path("name").asString(), property));
			}
		}
		return properties;
	}

	private static WarmupProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("warmup", WarmupProperties.class);
	}

	@EnableConfigurationProperties(WarmupProperties.class)
	static class Settings {

	}

}
