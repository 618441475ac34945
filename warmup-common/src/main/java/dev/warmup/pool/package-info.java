/**
 * Tells how many pooled connections a request holds at once, and whether the pool can
 * deadlock for it.
 */
@NullMarked
package dev.warmup.pool;

import org.jspecify.annotations.NullMarked;
