/** Writes the results: JSON, a table, charts, and which goals were met. */
@NullMarked
package dev.warmup.bench.report;

import org.jspecify.annotations.NullMarked;
