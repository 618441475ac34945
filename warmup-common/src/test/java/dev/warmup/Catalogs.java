package dev.warmup;

import java.nio.charset.StandardCharsets;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;

import org.springframework.core.io.ByteArrayResource;

/** Catalogs for tests, written as YAML and read as the application reads its own. */
public final class Catalogs {

	private Catalogs() {
	}

	public static Catalog of(String yaml) {
		return CatalogSource.required(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "test catalog"))
			.current();
	}

	/** A catalog of one scenario named {@code only}, whose requests are in short form. */
	public static Catalog ofRequests(String... requests) {
		return ofScenarios("name: only\n    requests:\n      - " + String.join("\n      - ", requests));
	}

	/** A catalog of scenarios, each a mapping. */
	public static Catalog ofScenarios(String... scenarios) {
		return of("version: 1\nscenarios:\n  - " + String.join("\n  - ", scenarios));
	}

}
