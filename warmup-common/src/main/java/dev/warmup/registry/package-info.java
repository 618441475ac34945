/**
 * Finds instances in discovery by their names, also those that do not take users yet, and
 * says where they are.
 */
@NullMarked
package dev.warmup.registry;

import org.jspecify.annotations.NullMarked;
