package dev.warmup.run;

import java.time.Duration;

/**
 * How far a run may go.
 *
 * @param budget how long a run may wait, for all gateways together, and how long it may
 * send once the ways are found
 * @param repetitions how often a scenario of average weight is repeated through each
 * gateway
 */
public record RunSettings(Duration budget, int repetitions) {

}
