/**
 * One warm-up run, from its trigger to its verdict: plan, replay, steady latency, idle
 * timer, and gate.
 */
@NullMarked
package dev.warmup.run;

import org.jspecify.annotations.NullMarked;
