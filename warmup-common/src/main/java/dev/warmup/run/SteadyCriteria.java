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
	 * Half of the answers of a warm request usually lie well within 30 % of their median,
	 * which is three times the default tolerance.
	 */
	private static final double SPREAD_BY_TOLERANCE = 3;

	/** Above it, the compiler still changes what is measured. */
	private static final double MAX_JIT = 0.5;

	/** A warm application still loads some classes a second, such as proxies. */
	private static final double MAX_CLASSES = 50;

	public SteadyCriteria {
		if (window < 1) {
			throw new IllegalArgumentException("A window must have at least one answer: " + window);
		}
	}

	/** The criteria whose other limits are this library's. */
	public static SteadyCriteria of(double tolerance, int window) {
		return new SteadyCriteria(tolerance, SPREAD_BY_TOLERANCE * tolerance, window, MAX_JIT, MAX_CLASSES);
	}

}
