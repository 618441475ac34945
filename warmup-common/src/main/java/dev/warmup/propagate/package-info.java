/** Passes the mark of warm-up on to whom the application calls in its course. */
@NullMarked
package dev.warmup.propagate;

import org.jspecify.annotations.NullMarked;
