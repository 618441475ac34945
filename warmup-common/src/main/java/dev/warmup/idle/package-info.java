/** Repeats the run when no user has called for a while. */
@NullMarked
package dev.warmup.idle;

import org.jspecify.annotations.NullMarked;
