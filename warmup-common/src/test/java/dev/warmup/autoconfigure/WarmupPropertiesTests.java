package dev.warmup.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@ExtendWith(OutputCaptureExtension.class)
class WarmupPropertiesTests {

	private static final Path REFERENCE = Path.of("../docs/reference.md");

	/** A row of its table of settings, whose default is code unless there is none. */
	private static final Pattern SETTING = Pattern.compile("(?m)^\\| `(warmup[a-z.-]+)` \\| (?:`(.+?)`)?");

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
					warmup.gate.open-after         | 366d          | It must be from 0 to 365 days; 0 means once a request was answered.
					warmup.ramp.window             | 366d          | It must be from 0 to 365 days
					warmup.ramp.window             | -1s           | It must be from 0 to 365 days
					warmup.startup.concurrency     | 0             | It must be from 1 to 500.
					warmup.startup.concurrency     | 501           | It must be from 1 to 500.
					warmup.startup.min-repetitions | 0             | It must be at least 1.
					warmup.startup.max-repetitions | 19            | It must be at least min-repetitions, which is 20.
					warmup.startup.trigger         | idle          | It must be startup or train.
					warmup.steady.tolerance        | 0             | It must be above 0, such as 0.1.
					warmup.steady.tolerance        | NaN           | It must be above 0, such as 0.1.
					warmup.steady.window           | 4             | It must be at least 5.
					warmup.cpu.max-share           | 0             | It must be a share above 0 and up to 1.
					warmup.cpu.max-share           | 1.1           | It must be a share above 0 and up to 1.
					warmup.idle.after              | -1m           | It must be from 0 to 365 days; 0 means never.
					warmup.idle.after              | 366d          | It must be from 0 to 365 days; 0 means never.
					warmup.idle.check-every        | 0s            | It must be longer than zero, and 365 days at most.
					warmup.idle.check-every        | 999us         | It must be at least 1ms.
					warmup.idle.check-every        | 366d          | It must be longer than zero, and 365 days at most.
					warmup.idle.jitter             | -0.1          | It must be a share from 0 to 1.
					warmup.idle.jitter             | 1.1           | It must be a share from 0 to 1.
					warmup.idle.jitter             | NaN           | It must be a share from 0 to 1.
					warmup.admission.max-concurrent | 0            | It must be at least 1.
					warmup.gate.on-failure         | ajar          | failed to convert
					warmup.startup.budget          | soon          | failed to convert
					""")
	void invalidValueStopsTheStartAndIsNamedWithTheReason(String property, String value, String reason,
			CapturedOutput output) {
		SpringApplication application = new SpringApplication(WarmupAutoConfiguration.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--" + property + "=" + value));
		assertThat(output).contains("APPLICATION FAILED TO START").contains(property).contains(reason);
	}

	/** What an IDE shows, from the metadata, and what readers of the reference see. */
	@Test
	void metadataAndReferenceDescribeEachPropertyWithTheDefaultThatBindingTakes() throws IOException {
		Map<String, String> generated = new TreeMap<>();
		metadata().forEach((name, property) -> {
			assertThat(property.path("description").asString("")).as(name).isNotBlank();
			generated.put(name, property.path("defaultValue").asString(""));
		});
		Map<String, String> documented = new TreeMap<>();
		SETTING.matcher(Files.readString(REFERENCE))
			.results()
			.forEach((row) -> documented.put(row.group(1), Objects.requireNonNullElse(row.group(2), "")));
		assertThat(documented.keySet()).isEqualTo(generated.keySet());
		for (Map<String, String> defaults : List.of(generated, documented)) {
			assertThat(defaults.keySet()).filteredOn((name) -> defaults.get(name).isEmpty())
				.containsExactlyInAnyOrder("warmup.gateway.url", "warmup.token", "warmup.admission.max-concurrent");
			defaults.values().removeIf(String::isEmpty);
			assertThat(bind(defaults)).isEqualTo(bind(Map.of()));
		}
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

}
