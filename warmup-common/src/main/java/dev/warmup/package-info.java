/**
 * What application code may use: the mark of warm-up work, tasks of its own, and the
 * extension points.
 */
@NullMarked
package dev.warmup;

import org.jspecify.annotations.NullMarked;
