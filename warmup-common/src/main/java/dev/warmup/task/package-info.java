/**
 * Warms connection pools, threads, and host names before the first request of a run.
 */
@NullMarked
package dev.warmup.task;

import org.jspecify.annotations.NullMarked;
