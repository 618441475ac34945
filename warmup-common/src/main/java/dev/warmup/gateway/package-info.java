/**
 * Stands in the gateway: recognises warm-up traffic, takes in run reports and says who is
 * warm.
 */
@NullMarked
package dev.warmup.gateway;

import org.jspecify.annotations.NullMarked;
