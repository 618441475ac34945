package dev.warmup.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What an IDE tells of the settings. */
class ConfigurationMetadataTests {

	private static final Map<String, JsonNode> PROPERTIES = new TreeMap<>();

	@BeforeAll
	static void readTheMetadata() throws IOException {
		List<URL> files = Collections
			.list(WarmupProperties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"));
		for (URL file : files) {
			try (InputStream input = file.openStream()) {
				for (JsonNode property : JsonMapper.shared().readTree(input).path("properties")) {
					if (property.path("name").asString().startsWith("warmup.")) {
						PROPERTIES.put(property.path("name").asString(), property);
					}
				}
			}
		}
	}

	@Test
	void everyPropertyIsListed() {
		assertThat(PROPERTIES).containsOnlyKeys("warmup.enabled", "warmup.catalog", "warmup.gateway.service-id",
				"warmup.gateway.url", "warmup.startup.budget", "warmup.startup.deadline", "warmup.startup.concurrency",
				"warmup.startup.min-repetitions", "warmup.startup.max-repetitions", "warmup.startup.trigger",
				"warmup.steady.tolerance", "warmup.steady.window", "warmup.cpu.max-share", "warmup.idle.after",
				"warmup.idle.check-every", "warmup.idle.jitter", "warmup.gate.enabled", "warmup.gate.on-failure",
				"warmup.admission.max-concurrent", "warmup.marks.unsigned", "warmup.token");
	}

	@Test
	void everyPropertyIsDescribed() {
		assertThat(PROPERTIES.values()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).isNotBlank());
	}

	@Test
	void everyPropertyHasADefaultButThoseWhoseDefaultIsNoValue() {
		Set<String> without = Set.of("warmup.gateway.url", "warmup.token", "warmup.admission.max-concurrent");
		PROPERTIES.forEach((name, property) -> assertThat(property.has("defaultValue")).as(name)
			.isEqualTo(!without.contains(name)));
	}

	@Test
	void defaultsAreThoseThatBindingTakes() {
		assertThat(defaultOf("warmup.enabled").asBoolean()).isTrue();
		assertThat(defaultOf("warmup.catalog").asString()).isEqualTo("classpath:warmup-requests.yml");
		assertThat(defaultOf("warmup.gateway.service-id").asString()).isEqualTo("gateway");
		assertThat(defaultOf("warmup.startup.budget").asString()).isEqualTo("60s");
		assertThat(defaultOf("warmup.startup.concurrency").asInt()).isEqualTo(1);
		assertThat(defaultOf("warmup.startup.min-repetitions").asInt()).isEqualTo(50);
		assertThat(defaultOf("warmup.startup.max-repetitions").asInt()).isEqualTo(5000);
		assertThat(defaultOf("warmup.startup.trigger").asString()).isEqualTo("startup");
		assertThat(defaultOf("warmup.steady.tolerance").asDouble()).isEqualTo(0.1);
		assertThat(defaultOf("warmup.steady.window").asInt()).isEqualTo(100);
		assertThat(defaultOf("warmup.cpu.max-share").asDouble()).isEqualTo(1);
		assertThat(defaultOf("warmup.idle.after").asString()).isEqualTo("30m");
		assertThat(defaultOf("warmup.idle.check-every").asString()).isEqualTo("1m");
		assertThat(defaultOf("warmup.idle.jitter").asDouble()).isEqualTo(0.1);
		assertThat(defaultOf("warmup.gate.enabled").asBoolean()).isTrue();
		assertThat(defaultOf("warmup.gate.on-failure").asString()).isEqualTo("open");
	}

	private static JsonNode defaultOf(String name) {
		return PROPERTIES.get(name).path("defaultValue");
	}

}
