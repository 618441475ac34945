/** Load clients: users at a constant arrival rate, and users who walk a journey. */
@NullMarked
package dev.warmup.bench.load;

import org.jspecify.annotations.NullMarked;
