package dev.warmup.run;

/**
 * What counts as steady.
 *
 * @param tolerance the share by which a request's latency may still fall over the window
 * @param maxSpread the share of its median by which half of a request's answers may
 * differ from it
 * @param window how many answers of each request are looked at, at least 1
 * @param maxJit the share of its processors that the compiler of a quiet JVM takes at
 * most: the time it compiles by the clock, summed over its threads
 * @param maxClasses how many classes a second a quiet JVM loads at most
 */
public record SteadyCriteria(double tolerance, double maxSpread, int window, double maxJit, double maxClasses) {

	/**
	 * Looks at a request.
	 * @return a trend without an answer
	 */
	public LatencyTrend trend() {
		return new LatencyTrend(this.tolerance, this.maxSpread, this.window);
	}

	/**
	 * Looks at JVMs.
	 * @return an activity that has seen none
	 */
	public JvmActivity activity() {
		return new JvmActivity(this.maxJit, this.maxClasses);
	}

}
