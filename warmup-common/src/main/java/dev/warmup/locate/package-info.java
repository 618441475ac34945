/** Finds the gateways that a run goes through. */
@NullMarked
package dev.warmup.locate;

import org.jspecify.annotations.NullMarked;
