/**
 * From a trigger to a verdict: what starts a run, what it replays through which gateways,
 * when it ends, and when the gate opens.
 */
@NullMarked
package dev.warmup.run;

import org.jspecify.annotations.NullMarked;
