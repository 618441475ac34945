/** Decides what a run sends: which scenarios, and how often each. */
@NullMarked
package dev.warmup.plan;

import org.jspecify.annotations.NullMarked;
