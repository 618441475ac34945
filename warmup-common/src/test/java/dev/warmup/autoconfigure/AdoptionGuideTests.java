package dev.warmup.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.protocol.InternalPaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/** What docs/adopt.md tells a team to write is read, bound and compiled here. */
class AdoptionGuideTests {

	private static final Set<String> METERS = Set.of("warmup.run", "warmup.request", "warmup.phase", "warmup.claims",
			"warmup.first.user.request");

	@TempDir
	Path classes;

	@ParameterizedTest
	@MethodSource("catalogs")
	void catalogIsRead(String yaml) {
		Catalog catalog = new CatalogReader((name) -> "secret", Clock.systemUTC()).read(resource(yaml));
		assertThat(catalog.scenarios()).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("settings")
	void settingsAreKnown(String yaml) throws IOException {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("guide", resource(yaml));
		List<PropertySource<?>> environment = Stream
			.concat(sources.stream(),
					Stream.of(new MapPropertySource("environment", Map.of("WARMUP_TOKEN", "sixteen-letters-"))))
			.toList();
		Binder binder = new Binder(ConfigurationPropertySources.from(sources),
				new PropertySourcesPlaceholdersResolver(environment));
		WarmupProperties properties = binder.bindOrCreate("warmup", Bindable.of(WarmupProperties.class),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		assertThat(properties.enabled()).isTrue();
		LoadBalancerProperties.HealthCheck check = binder.bindOrCreate("spring.cloud.loadbalancer.health-check",
				Bindable.of(LoadBalancerProperties.HealthCheck.class),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		assertThat(check.getPath().values()).allMatch(InternalPaths.READY_PATH::equals);
	}

	@Test
	void propertiesAndMetersThatAreNamedExist() throws IOException {
		JsonNode metadata;
		try (InputStream input = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getInputStream()) {
			metadata = JsonMapper.shared().readTree(input);
		}
		Set<String> known = new TreeSet<>(METERS);
		metadata.get("properties").forEach((property) -> known.add(property.get("name").asString()));
		Set<String> named = new TreeSet<>();
		Pattern.compile("`(warmup(?:\\.[a-z-]+)+)[:`]")
			.matcher(guide())
			.results()
			.forEach((m) -> named.add(m.group(1)));
		assertThat(named).isNotEmpty().isSubsetOf(known);
	}

	@Test
	void startupProbeOutlastsTheDefaultBudgetTwice() {
		List<JsonNode> probes = blocks("yaml", "# pod spec").map((yaml) -> YAMLMapper.shared().readTree(yaml))
			.map((pod) -> pod.at("/containers/0/startupProbe"))
			.filter(JsonNode::isObject)
			.toList();
		assertThat(probes).hasSize(1);
		JsonNode probe = probes.get(0);
		int seconds = probe.get("periodSeconds").asInt() * probe.get("failureThreshold").asInt();
		Duration budget = new Binder().bindOrCreate("warmup", WarmupProperties.class).startup().budget();
		assertThat(Duration.ofSeconds(seconds)).isGreaterThan(budget.multipliedBy(2));
	}

	@Test
	void codeCompiles() {
		List<String> snippets = blocks("java", "").toList();
		assertThat(snippets).isNotEmpty();
		String source = "import dev.warmup.WarmupContext; import reactor.core.publisher.Mono; class Guide {"
				+ String.join("\n", snippets) + "}";
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		compiler
			.getTask(null, null, diagnostics, List.of("-proc:none", "-d", this.classes.toString(), "-classpath",
					System.getProperty("java.class.path")), null, List.of(new Source(source)))
			.call();
		assertThat(diagnostics.getDiagnostics()).filteredOn((each) -> each.getKind() == Diagnostic.Kind.ERROR)
			.isEmpty();
		assertThat(this.classes.resolve("Guide.class")).exists();
	}

	static Stream<String> catalogs() {
		return blocks("yaml", "version: 1");
	}

	static Stream<String> settings() {
		return blocks("yaml", "# application.yml");
	}

	private static Stream<String> blocks(String language, String start) {
		return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
			.matcher(guide())
			.results()
			.map((match) -> match.group(1))
			.filter((block) -> block.startsWith(start));
	}

	private static String guide() {
		try {
			return Files.readString(Path.of("..", "docs", "adopt.md"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ByteArrayResource resource(String text) {
		return new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "docs/adopt.md");
	}

	/** The guide's methods in a class around them. */
	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String text) {
			super(URI.create("string:///Guide.java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
