/**
 * The gateway's side: recognizes warm-up traffic, limits it, keeps the fleet, and has the
 * gateway itself warmed.
 */
@NullMarked
package dev.warmup.gateway;

import org.jspecify.annotations.NullMarked;
