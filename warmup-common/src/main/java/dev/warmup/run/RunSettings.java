package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.Trigger;

/**
 * How far a run may go: the settings that {@code docs/reference.md} describes, how many
 * processors there are, and whether this JVM started from an AOT cache. With a
 * {@code rampWindow} of zero the gate opens when the run ends.
 */
public record RunSettings(Duration budget, int minRepetitions, int maxRepetitions, int concurrency, int processors,
		double maxCpuShare, SteadyCriteria criteria, Trigger startupTrigger, Duration deadline, Duration openAfter,
		boolean cached, Duration rampWindow) {

	/** How many rounds of a plan there are at most. */
	int rounds(Plan plan) {
		return (int) Math.ceil((double) plan.rounds() * this.maxRepetitions / this.minRepetitions);
	}

	/**
	 * What counts as steady.
	 *
	 * @param tolerance the share by which a request's latency may still fall over the
	 * window
	 * @param maxSpread the share of its median by which half of a request's answers may
	 * differ from it
	 * @param window how many answers of each request are considered, at least 1
	 * @param maxJit the share of its processors that the compiler of a quiet JVM takes at
	 * most: the time it compiles by the clock, summed over its threads
	 * @param maxClasses how many classes a second a quiet JVM loads at most
	 * @param maxContention how long the service's threads may wait for a processor, in
	 * proportion to how long they run
	 */
	public record SteadyCriteria(double tolerance, double maxSpread, int window, double maxJit, double maxClasses,
			double maxContention) {

		/**
		 * Half of the answers of a warm request usually lie well within 30 % of their
		 * median, which is three times the default tolerance.
		 */
		private static final double SPREAD_BY_TOLERANCE = 3;

		/** Above it, the compiler still changes what is measured. */
		private static final double MAX_JIT = 0.5;

		/** A warm application still loads some classes a second, such as proxies. */
		private static final double MAX_CLASSES = 50;

		/**
		 * A request then takes at most twice as long as on a free machine; more where the
		 * tolerance is above a tenth.
		 */
		private static final double MAX_CONTENTION = 1;

		public SteadyCriteria {
			if (window < 1) {
				throw new IllegalArgumentException("A window must have at least one answer: " + window);
			}
		}

		/** The criteria whose other limits are this library's. */
		public static SteadyCriteria of(double tolerance, int window) {
			return new SteadyCriteria(tolerance, SPREAD_BY_TOLERANCE * tolerance, window, MAX_JIT, MAX_CLASSES,
					MAX_CONTENTION * Math.max(1, 10 * tolerance));
		}

	}

}
