/**
 * Carries a run from its trigger to its verdict: waits for the way, replays within the
 * budget, records.
 */
@NullMarked
package dev.warmup.run;

import org.jspecify.annotations.NullMarked;
