/**
 * What application code may use: the mark of warm-up work, tasks of its own, and where to
 * find gateways. The other extension points are in the packages they belong to.
 */
@NullMarked
package dev.warmup;

import org.jspecify.annotations.NullMarked;
