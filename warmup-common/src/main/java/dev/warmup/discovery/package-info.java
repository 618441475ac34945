/**
 * Finds instances in discovery, verifies their claims, and publishes what discovery holds
 * of this instance.
 */
@NullMarked
package dev.warmup.discovery;

import org.jspecify.annotations.NullMarked;
