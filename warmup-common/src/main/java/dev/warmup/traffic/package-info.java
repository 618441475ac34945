/**
 * Tells warm-up traffic from what users send: the header, its mark on a request, and the
 * idle clock.
 */
@NullMarked
package dev.warmup.traffic;

import org.jspecify.annotations.NullMarked;
