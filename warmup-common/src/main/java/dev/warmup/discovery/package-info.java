/**
 * Finds instances in discovery, verifies their claims, and publishes what this instance
 * says of itself.
 */
@NullMarked
package dev.warmup.discovery;

import org.jspecify.annotations.NullMarked;
