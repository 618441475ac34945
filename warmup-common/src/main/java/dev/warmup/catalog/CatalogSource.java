package dev.warmup.catalog;

/** Hands out the catalog before each run. */
@FunctionalInterface
public interface CatalogSource {

	/**
	 * The catalog as it stands now. Reading may block; call it where that is allowed. A
	 * broken edit is logged as an error, and the last good catalog returned.
	 * @return a checked catalog; empty if there is nothing to send
	 */
	Catalog current();

}
