/** Sends the requests of a scenario through a gateway and tells what became of each. */
@NullMarked
package dev.warmup.replay;

import org.jspecify.annotations.NullMarked;
