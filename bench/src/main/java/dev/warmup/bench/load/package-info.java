/** The users: a client that is warm itself, in closed and in open loop. */
@NullMarked
package dev.warmup.bench.load;

import org.jspecify.annotations.NullMarked;
