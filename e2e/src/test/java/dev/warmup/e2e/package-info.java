/** The example stack as real processes: its launcher, its promises, and its faults. */
@NullMarked
package dev.warmup.e2e;

import org.jspecify.annotations.NullMarked;
