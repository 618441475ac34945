/**
 * Runs the real jars as real processes by {@code ./stack}, and asks them from outside.
 */
@NullMarked
package dev.warmup.e2e;

import org.jspecify.annotations.NullMarked;
