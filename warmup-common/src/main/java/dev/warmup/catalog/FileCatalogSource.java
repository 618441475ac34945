package dev.warmup.catalog;

import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.Resource;

/**
 * Reads the catalog from its file before each run; while an edit is broken, the last good
 * catalog serves on. Thread-safe; reading blocks.
 */
public final class FileCatalogSource implements CatalogSource {

	private static final Logger logger = LoggerFactory.getLogger(FileCatalogSource.class);

	private final Resource resource;

	private final CatalogReader reader;

	private Snapshot last;

	private FileCatalogSource(Resource resource, CatalogReader reader, boolean mayBeAbsent) {
		this.resource = resource;
		this.reader = reader;
		this.last = (mayBeAbsent && !resource.exists()) ? Snapshot.absent(resource) : read();
	}

	/**
	 * A catalog that must exist, since somebody asked for this one.
	 * @param resource the file
	 * @param reader reads it, now and before each run
	 * @return the source
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong
	 */
	public static FileCatalogSource required(Resource resource, CatalogReader reader) {
		return new FileCatalogSource(resource, reader, false);
	}

	/**
	 * A catalog that is empty as long as its file does not exist, as the default one may
	 * be. Once the file was there, its absence is a broken edit.
	 * @param resource the file
	 * @param reader reads it, now and before each run
	 * @return the source
	 * @throws InvalidCatalogException if the file exists and anything in it is wrong
	 */
	public static FileCatalogSource optional(Resource resource, CatalogReader reader) {
		return new FileCatalogSource(resource, reader, true);
	}

	@Override
	public synchronized Catalog current() {
		if (this.last.isAbsent() && !this.resource.exists()) {
			return this.last.catalog();
		}
		try {
			Snapshot now = read();
			if (!now.fingerprint().equals(this.last.fingerprint())) {
				logger.info("Warm-up catalog {} changed; scenarios: {}", now.catalog().location(),
						now.catalog().scenarios().size());
				this.last = now;
			}
		}
		catch (InvalidCatalogException ex) {
			logger.error("{}{}The last good catalog serves on.", ex.getMessage(), System.lineSeparator());
		}
		return this.last.catalog();
	}

	private Snapshot read() {
		CatalogFiles files = new CatalogFiles(this.resource);
		Catalog catalog = this.reader.read(this.resource, files);
		return new Snapshot(catalog, files.fingerprint());
	}

	private record Snapshot(Catalog catalog, String fingerprint) {

		static Snapshot absent(Resource resource) {
			return new Snapshot(new Catalog(CatalogFiles.location(resource), Map.of(), List.of()), "");
		}

		boolean isAbsent() {
			return this.fingerprint.isEmpty();
		}

	}

}
