package dev.warmup.docker.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.catalog.CatalogReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * kustomize reads no file outside its folder, nor a link to one; and compose mounts a
 * file to be edited, which the service's own is not. So the catalog is there three times.
 */
class CatalogCopyTests {

	private static final Pattern SCHEMA = Pattern.compile("\\A# yaml-language-server: \\$schema=(\\S+)\n");

	private static final Path ORIGINAL = Path.of("../chat-service/src/main/resources/warmup-requests.yml");

	@ParameterizedTest
	@MethodSource("copies")
	void isTheServicesOwnCatalog(Path copy) throws IOException {
		assertThat(withoutSchema(copy)).isEqualTo(withoutSchema(ORIGINAL));
	}

	@ParameterizedTest
	@MethodSource("copies")
	void isACatalog(Path copy) {
		assertThat(new CatalogReader().read(new FileSystemResource(copy)).scenarios()).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("copies")
	void knowsWhereItsSchemaIs(Path copy) throws IOException {
		Matcher schema = SCHEMA.matcher(Files.readString(copy));
		assertThat(schema.find()).isTrue();
		assertThat(copy.resolveSibling(schema.group(1))).isRegularFile();
	}

	static Stream<Path> copies() {
		return Stream.of("warmup-requests.yml", "kubernetes/warmup-requests.yml")
			.map(Path::of)
			.map(Path::toAbsolutePath);
	}

	private static String withoutSchema(Path catalog) throws IOException {
		return SCHEMA.matcher(Files.readString(catalog)).replaceFirst("");
	}

}
