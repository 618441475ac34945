/**
 * Where addresses and gateways come from: Eureka, in which an instance is STARTING until
 * its gate is open, or what instances announce.
 */
@NullMarked
package dev.warmup.registry;

import org.jspecify.annotations.NullMarked;
