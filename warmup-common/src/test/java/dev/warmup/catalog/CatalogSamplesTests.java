package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The reader and the schema that editors use agree on the same files. */
class CatalogSamplesTests {

	private static Schema schema;

	@BeforeAll
	static void loadSchema() throws IOException {
		try (InputStream input = CatalogSamplesTests.class.getResourceAsStream("/warmup-requests.schema.json")) {
			schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
				.getSchema(Objects.requireNonNull(input), InputFormat.JSON);
		}
	}

	@Test
	void schemaIsItselfValid() {
		Schema draft = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
			.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));
		assertThat(draft.validate(schema.getSchemaNode())).isEmpty();
	}

	@TestFactory
	Stream<DynamicTest> bothAcceptWhatIsValid() throws IOException {
		return each("valid", (sample) -> {
			assertThat(schemaErrors(sample)).isEmpty();
			assertThatCode(() -> read(sample)).doesNotThrowAnyException();
		});
	}

	@TestFactory
	Stream<DynamicTest> bothRefuseWhatIsInvalid() throws IOException {
		return each("invalid", (sample) -> {
			assertThat(schemaErrors(sample)).isNotEmpty();
			assertOneProblem(sample);
		});
	}

	@TestFactory
	Stream<DynamicTest> onlyTheReaderRefusesWhatNoSchemaCanSee() throws IOException {
		return each("reader-only", (sample) -> {
			assertThat(schemaErrors(sample)).isEmpty();
			assertOneProblem(sample);
		});
	}

	private static Stream<DynamicTest> each(String folder, ThrowingConsumer<Resource> test) throws IOException {
		Resource[] samples = new PathMatchingResourcePatternResolver()
			.getResources("classpath:catalog/" + folder + "/*.yml");
		assertThat(samples).isNotEmpty();
		return DynamicTest.stream(Stream.of(samples), Resource::getFilename, test);
	}

	private void assertOneProblem(Resource sample) {
		assertThatExceptionOfType(InvalidCatalogException.class).isThrownBy(() -> read(sample))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.location()).endsWith(sample.getFilename());
				assertThat(List.of(problem.line(), problem.column())).allMatch((at) -> at > 0);
				assertThat(List.of(problem.entry(), problem.problem(), problem.fix())).noneMatch(String::isBlank);
			}));
	}

	private static Catalog read(Resource sample) {
		return NamedResource.read(sample, (name) -> null);
	}

	private static List<Error> schemaErrors(Resource sample) throws IOException {
		JsonNode tree = new YAMLMapper().readTree(sample.getContentAsString(StandardCharsets.UTF_8));
		return schema.validate(tree.isMissingNode() ? NullNode.getInstance() : tree);
	}

}
