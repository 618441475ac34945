package dev.warmup.docker.kubernetes;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.catalog.CatalogReader;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * kustomize reads no file outside its folder, nor a link to one, so that the catalog is
 * there twice.
 */
class CatalogCopyTests {

	private static final Pattern SCHEMA = Pattern.compile("\\A# yaml-language-server: \\$schema=(\\S+)\n");

	private static final Path COPY = Manifests.FOLDER.resolve("warmup-requests.yml");

	@Test
	void isTheServicesOwnCatalog() {
		Path original = Manifests.ROOT.resolve("chat-service/src/main/resources/warmup-requests.yml");
		assertThat(withoutSchema(COPY)).isEqualTo(withoutSchema(original));
	}

	@Test
	void isACatalog() {
		assertThat(new CatalogReader().read(new FileSystemResource(COPY)).scenarios()).isNotEmpty();
	}

	@Test
	void knowsWhereItsSchemaIs() {
		Matcher schema = SCHEMA.matcher(Manifests.read(COPY));
		assertThat(schema.find()).isTrue();
		assertThat(COPY.resolveSibling(schema.group(1))).isRegularFile();
	}

	private static String withoutSchema(Path catalog) {
		return SCHEMA.matcher(Manifests.read(catalog)).replaceFirst("");
	}

}
