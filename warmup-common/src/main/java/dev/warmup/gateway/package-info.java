/**
 * The gateway's side: verifies warm-up traffic and limits it, measures it and the first
 * users, keeps the fleet, and warms the gateway itself.
 */
@NullMarked
package dev.warmup.gateway;

import org.jspecify.annotations.NullMarked;
