/**
 * Decides whether latency has stopped falling and the JVMs are quiet. Knows no other
 * stage.
 */
@NullMarked
package dev.warmup.steady;

import org.jspecify.annotations.NullMarked;
