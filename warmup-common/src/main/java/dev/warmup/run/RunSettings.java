package dev.warmup.run;

import java.time.Duration;

/**
 * How far a run may go.
 *
 * @param budget how long a run may wait, for all gateways together, and how long it may
 * send once the ways are found, again for all together; what a gateway asks it to wait
 * (429) comes on top, up to 20 times as much
 * @param repetitions how often a scenario of average weight is repeated through each
 * gateway
 * @param concurrency how many scenarios are replayed side by side after the first round,
 * at least 1
 */
public record RunSettings(Duration budget, int repetitions, int concurrency) {

}
