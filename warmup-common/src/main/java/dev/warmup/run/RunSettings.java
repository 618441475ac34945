package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.Trigger;

/**
 * How far a run may go.
 *
 * @param budget how long a run may wait, for all gateways together, and how long it may
 * send once the routes are found, again for all together; waits that a gateway asks for
 * (429) come on top, up to 20 times as much
 * @param minRepetitions how often a scenario of average weight is repeated at least
 * through each gateway
 * @param maxRepetitions how often at most, not less than that
 * @param concurrency how many scenarios are replayed side by side at most, at least 1
 * @param processors how many processors this JVM may use, at least 1
 * @param maxCpuShare the share of them that it may take while it is warmed, above 0 and
 * up to 1
 * @param criteria what counts as steady
 * @param startupTrigger what the run at start replays
 * @param deadline how long the gate stays closed at most from the start on, whatever the
 * run waits for
 * @param openAfter how long a run sends at most before the gate opens, where another
 * instance takes users
 * @param rampWindow how long a run goes on at most once the gate has opened; 0 means that
 * the gate opens when it ends
 */
public record RunSettings(Duration budget, int minRepetitions, int maxRepetitions, int concurrency, int processors,
		double maxCpuShare, SteadyCriteria criteria, Trigger startupTrigger, Duration deadline, Duration openAfter,
		Duration rampWindow) {

	/** How many rounds of a plan there are at most. */
	int rounds(Plan plan) {
		return (int) Math.min(Integer.MAX_VALUE,
				Math.ceil((double) plan.rounds() * this.maxRepetitions / this.minRepetitions));
	}

}
