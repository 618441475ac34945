/**
 * One warm-up run, from its trigger to its verdict: plan, replay, steadiness, idle timer,
 * and gate.
 */
@NullMarked
package dev.warmup.run;

import org.jspecify.annotations.NullMarked;
