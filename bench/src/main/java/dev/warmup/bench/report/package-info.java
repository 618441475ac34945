/**
 * Figures of a benchmark, and what is made of them: tables, charts, the README's block.
 */
@NullMarked
package dev.warmup.bench.report;

import org.jspecify.annotations.NullMarked;
