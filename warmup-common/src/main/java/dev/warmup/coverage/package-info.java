/** Knows which requests of users the catalog covers, within bounded memory. */
@NullMarked
package dev.warmup.coverage;

import org.jspecify.annotations.NullMarked;
