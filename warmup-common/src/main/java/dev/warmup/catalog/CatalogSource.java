package dev.warmup.catalog;

import org.springframework.core.io.Resource;

/** Hands out the catalog before each run. */
@FunctionalInterface
public interface CatalogSource {

	/**
	 * The catalog as it stands now. Reading may block; call it where that is allowed. A
	 * broken edit is logged as an error, and the last good catalog returned.
	 * @return a checked catalog; empty if there is nothing to send
	 */
	Catalog current();

	/**
	 * Reads a file that must exist, since somebody asked for this one. It is read again
	 * before each run.
	 * @param file the file
	 * @return the source
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong
	 */
	static CatalogSource required(Resource file) {
		return FileCatalogSource.required(file, new CatalogReader());
	}

	/**
	 * Reads a file that may be missing, as the default one may be: the catalog is empty
	 * until it exists. Once it was there, its absence is a broken edit.
	 * @param file the file
	 * @return the source
	 * @throws InvalidCatalogException if the file exists and anything in it is wrong
	 */
	static CatalogSource optional(Resource file) {
		return FileCatalogSource.optional(file, new CatalogReader());
	}

}
