/** Holds the copies of the catalog that containers mount against the service's own. */
@NullMarked
package dev.warmup.docker.catalog;

import org.jspecify.annotations.NullMarked;
