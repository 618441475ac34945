package dev.warmup.run;

import java.util.Optional;

import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.RunRecord;

/** Finds what a catalog lacks. Does not block. */
@FunctionalInterface
public interface FindingsSource {

	Optional<RunRecord.Findings> findings(Catalog catalog);

}
