package dev.warmup.catalog;

import org.springframework.core.io.Resource;

/** Hands out the catalog before each run. */
@FunctionalInterface
public interface CatalogSource {

	/**
	 * A checked catalog as it stands now; empty if there is nothing to send. Reading may
	 * block. A broken edit is logged as an error, and the last good catalog returned.
	 */
	Catalog current();

	/**
	 * Reads a file that must exist, and again before each run.
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong
	 */
	static CatalogSource required(Resource file) {
		return new FileCatalogSource(file, false);
	}

	/**
	 * Reads a file that may be missing, as the default one may be: the catalog is empty
	 * until it exists. Once it has existed, its absence counts as a broken edit.
	 * @throws InvalidCatalogException if the file exists and anything in it is wrong
	 */
	static CatalogSource optional(Resource file) {
		return new FileCatalogSource(file, true);
	}

}
