/**
 * Chooses instances in the gateway's load balancers and routes to their services: the
 * claimant for warm-up, and for users those that take users, as soon as they do.
 */
@NullMarked
package dev.warmup.balance;

import org.jspecify.annotations.NullMarked;
