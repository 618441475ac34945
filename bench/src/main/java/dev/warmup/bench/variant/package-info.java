/** What is done before users arrive: nothing, what people use instead, or the warm-up. */
@NullMarked
package dev.warmup.bench.variant;

import org.jspecify.annotations.NullMarked;
