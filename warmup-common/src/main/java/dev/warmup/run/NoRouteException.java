package dev.warmup.run;

/** There is no way to a service yet. */
final class NoRouteException extends RuntimeException {

	private final String obstacle;

	private final boolean cut;

	/**
	 * Creates the exception.
	 * @param obstacle what stands in the way
	 */
	NoRouteException(String obstacle) {
		this(obstacle, false);
	}

	private NoRouteException(String obstacle, boolean cut) {
		super(obstacle, null, false, false);
		this.obstacle = obstacle;
		this.cut = cut;
	}

	/**
	 * Creates the exception for an attempt that the end of the budget cut.
	 * @param obstacle what the attempt was waiting for
	 * @return the exception
	 */
	static NoRouteException cut(String obstacle) {
		return new NoRouteException(obstacle, true);
	}

	/**
	 * Puts what was in the way before in front: an attempt that was cut may say no more
	 * than that the budget had ended.
	 * @param earlier what the attempts before told, or empty
	 * @return this exception, or one that says both where this attempt was cut
	 */
	NoRouteException after(String earlier) {
		return (this.cut && !earlier.isEmpty()) ? cut(earlier + "; then " + this.obstacle) : this;
	}

	@Override
	public String getMessage() {
		return this.obstacle;
	}

}
