/**
 * Keeps warm-up away from what users share at the gateway: circuit breakers, limits and
 * retries.
 */
@NullMarked
package dev.warmup.neighbour;

import org.jspecify.annotations.NullMarked;
