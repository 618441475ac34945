package dev.warmup.catalog;

import java.nio.ByteBuffer;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.Resource;

/**
 * Reads the catalog from its file before each run; while an edit is broken, the last good
 * catalog stays in use. Thread-safe; reading blocks.
 */
final class FileCatalogSource implements CatalogSource {

	private static final Logger logger = LoggerFactory.getLogger(FileCatalogSource.class);

	private final Resource resource;

	private Catalog catalog;

	/** What the catalog was read from; empty while there is no file. */
	private List<ByteBuffer> contents;

	FileCatalogSource(Resource resource, boolean mayBeAbsent) {
		CatalogFiles files = new CatalogFiles(resource);
		this.resource = resource;
		this.catalog = (mayBeAbsent && !resource.exists()) ? Catalog.empty(files.location()) : read(files);
		this.contents = files.contents();
	}

	@Override
	public synchronized Catalog current() {
		if (this.contents.isEmpty() && !this.resource.exists()) {
			return this.catalog;
		}
		try {
			CatalogFiles files = new CatalogFiles(this.resource);
			Catalog now = read(files);
			if (!files.contents().equals(this.contents)) {
				logger.info("Warm-up catalog {} changed; scenarios: {}", now.location(), now.scenarios().size());
				this.catalog = now;
				this.contents = files.contents();
			}
		}
		catch (InvalidCatalogException ex) {
			logger.error("{}{}The last good catalog stays in use.", ex.getMessage(), System.lineSeparator());
		}
		return this.catalog;
	}

	private static Catalog read(CatalogFiles files) {
		return new CatalogReader(files, System::getenv).read();
	}

}
