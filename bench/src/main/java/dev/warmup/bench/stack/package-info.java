/** The stack under test: the real jars as real processes, started by {@code ./stack}. */
@NullMarked
package dev.warmup.bench.stack;

import org.jspecify.annotations.NullMarked;
