/** Takes from idle processes the memory that they have not used lately. */
@NullMarked
package dev.warmup.bench.memory;

import org.jspecify.annotations.NullMarked;
