/**
 * What a run did, in figures: immutable, and the same in the log, the endpoint and the
 * report.
 */
@NullMarked
package dev.warmup.record;

import org.jspecify.annotations.NullMarked;
