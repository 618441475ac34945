package dev.warmup.run;

import dev.warmup.protocol.RunRecord;

/**
 * Application event: a run has ended. Listeners must not block.
 *
 * @param run the whole run, with its verdict
 */
public record RunEnded(RunRecord run) {

}
