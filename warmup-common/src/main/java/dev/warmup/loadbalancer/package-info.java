/**
 * Sends warm-up requests to the instance they name, and users to instances that take
 * them.
 */
@NullMarked
package dev.warmup.loadbalancer;

import org.jspecify.annotations.NullMarked;
