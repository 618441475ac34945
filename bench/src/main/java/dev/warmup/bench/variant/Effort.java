package dev.warmup.bench.variant;

/**
 * What a warm-up sent.
 *
 * @param requests how many requests
 * @param unexpected how many of them were not answered as they should
 */
public record Effort(long requests, long unexpected) {

	/** Nothing was sent. */
	public static final Effort NONE = new Effort(0, 0);

	/**
	 * Adds what else was sent.
	 * @param other the other requests
	 * @return the sum
	 */
	public Effort plus(Effort other) {
		return new Effort(this.requests + other.requests, this.unexpected + other.unexpected);
	}

}
