package dev.warmup;

import java.nio.charset.StandardCharsets;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogReader;

import org.springframework.core.io.ByteArrayResource;

/** Catalogs for tests, written as YAML and read as the application reads its own. */
public final class Catalogs {

	private Catalogs() {
	}

	/**
	 * Reads a catalog.
	 * @param yaml the file's text
	 * @return the catalog
	 */
	public static Catalog of(String yaml) {
		return new CatalogReader().read(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "test catalog"));
	}

	/**
	 * Reads a catalog of one scenario named {@code only}.
	 * @param requests its requests in short form
	 * @return the catalog
	 */
	public static Catalog ofRequests(String... requests) {
		StringBuilder yaml = new StringBuilder("version: 1\nscenarios:\n  - name: only\n    requests:\n");
		for (String request : requests) {
			yaml.append("      - ").append(request).append('\n');
		}
		return of(yaml.toString());
	}

}
