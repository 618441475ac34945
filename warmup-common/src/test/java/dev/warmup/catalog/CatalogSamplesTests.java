package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

	private final CatalogReader reader = new CatalogReader((name) -> null, Clock.systemUTC());

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

	@ParameterizedTest(name = "{0}")
	@MethodSource("valid")
	void bothAcceptWhatIsValid(Resource sample) throws IOException {
		assertThat(schemaErrors(sample)).isEmpty();
		assertThatCode(() -> this.reader.read(sample)).doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("invalid")
	void bothRefuseWhatIsInvalid(Resource sample) throws IOException {
		assertThat(schemaErrors(sample)).isNotEmpty();
		assertOneProblem(sample);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("readerOnly")
	void onlyTheReaderRefusesWhatNoSchemaCanSee(Resource sample) throws IOException {
		assertThat(schemaErrors(sample)).isEmpty();
		assertOneProblem(sample);
	}

	private void assertOneProblem(Resource sample) {
		assertThatExceptionOfType(InvalidCatalogException.class).isThrownBy(() -> this.reader.read(sample))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.location()).isEqualTo(ex.location()).endsWith(sample.getFilename());
				assertThat(problem.line()).isPositive();
				assertThat(problem.column()).isPositive();
				assertThat(problem.entry()).isNotBlank();
				assertThat(problem.problem()).isNotBlank();
				assertThat(problem.fix()).isNotBlank();
			}));
	}

	private static List<Error> schemaErrors(Resource sample) throws IOException {
		JsonNode tree = new YAMLMapper().readTree(sample.getContentAsString(StandardCharsets.UTF_8));
		return schema.validate(tree.isMissingNode() ? NullNode.getInstance() : tree);
	}

	static Stream<Resource> valid() throws IOException {
		return samples("valid");
	}

	static Stream<Resource> invalid() throws IOException {
		return samples("invalid");
	}

	static Stream<Resource> readerOnly() throws IOException {
		return samples("reader-only");
	}

	private static Stream<Resource> samples(String folder) throws IOException {
		return Stream
			.of(new PathMatchingResourcePatternResolver().getResources("classpath:catalog/" + folder + "/*.yml"));
	}

}
