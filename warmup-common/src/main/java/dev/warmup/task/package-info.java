/** Warms what requests alone would not: pools, threads and names, before the replay. */
@NullMarked
package dev.warmup.task;

import org.jspecify.annotations.NullMarked;
