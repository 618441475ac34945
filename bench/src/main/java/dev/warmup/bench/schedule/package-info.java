/** Runs the steps of the scenarios by turns, and tells how long it will still take. */
@NullMarked
package dev.warmup.bench.schedule;

import org.jspecify.annotations.NullMarked;
